package dev.singleflight.sample.proof;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/** The operating system's bound on open files, where it tells: each caller takes two, its own end and the server's. */
final class FileLimit {

    private FileLimit() {}

    static boolean allows(int callers) {
        return 2L * callers < left();
    }

    static long left() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getMaxFileDescriptorCount() - unix.getOpenFileDescriptorCount()
                : Long.MAX_VALUE;
    }
}
