package dev.singleflight.spring.interceptor;

/** An annotation or a property that cannot work, found when the application starts. */
public final class InvalidSingleFlightException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String description;
    private final String action;

    /**
     * Creates the exception.
     *
     * @param description what is wrong, and where
     * @param action what to do about it
     */
    public InvalidSingleFlightException(String description, String action) {
        super(description + ". " + action + ".");
        this.description = description;
        this.action = action;
    }

    /**
     * Returns what is wrong.
     *
     * @return a sentence without its full stop
     */
    public String getDescription() {
        return description;
    }

    /**
     * Returns what to do about it.
     *
     * @return a sentence without its full stop
     */
    public String getAction() {
        return action;
    }
}
