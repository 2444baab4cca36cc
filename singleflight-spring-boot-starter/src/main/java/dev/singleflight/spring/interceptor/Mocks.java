package dev.singleflight.spring.interceptor;

import org.springframework.util.ClassUtils;

/** Tests put mocks in the place of beans; nobody expects those to fly. */
final class Mocks {

    private static final String MOCKITO = "org.mockito.Mockito";
    private static final boolean PRESENT = ClassUtils.isPresent(MOCKITO, Mocks.class.getClassLoader());

    private Mocks() {}

    static boolean isMock(Object bean) {
        if (!PRESENT) {
            return false;
        }
        try {
            Object details = Class.forName(MOCKITO, true, Mocks.class.getClassLoader())
                    .getMethod("mockingDetails", Object.class)
                    .invoke(null, bean);
            return (boolean) Class.forName("org.mockito.MockingDetails", true, Mocks.class.getClassLoader())
                    .getMethod("isMock")
                    .invoke(details);
        } catch (ReflectiveOperationException | LinkageError unknown) {
            return false;
        }
    }
}
