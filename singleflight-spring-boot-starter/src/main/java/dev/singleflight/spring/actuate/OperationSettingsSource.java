package dev.singleflight.spring.actuate;

import dev.singleflight.OperationSettings;

/** Where the endpoint finds what an operation's settings are made of; each layer wins over the one before. */
public interface OperationSettingsSource {

    /**
     * Returns what holds for every operation.
     *
     * @return settings with every field set
     */
    OperationSettings defaults();

    /**
     * Returns what the operation's annotation says.
     *
     * @param operation the name
     * @return settings; nothing set where there is no annotation
     */
    OperationSettings annotation(String operation);

    /**
     * Returns what the properties of this operation say.
     *
     * @param operation the name
     * @return settings; nothing set where there are no properties
     */
    OperationSettings operation(String operation);
}
