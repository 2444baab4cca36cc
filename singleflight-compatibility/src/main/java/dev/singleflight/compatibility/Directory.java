package dev.singleflight.compatibility;

/** Gives the annotated bean an interface, for which Spring may or may not choose a JDK proxy. */
public interface Directory {

    String profile(long userId) throws InterruptedException;
}
