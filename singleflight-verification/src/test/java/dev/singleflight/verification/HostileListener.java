package dev.singleflight.verification;

import dev.singleflight.FlightListener;

/** Throws at every turn. */
final class HostileListener implements FlightListener {

    @Override
    public void callStarted(String operation, Object key) {
        throw new IllegalStateException("planned");
    }

    @Override
    public void callEnded(CallEnded event) {
        throw new IllegalStateException("planned");
    }

    @Override
    public void flightStarted(String operation, Object key) {
        throw new IllegalStateException("planned");
    }

    @Override
    public void attemptEnded(AttemptEnded event) {
        throw new IllegalStateException("planned");
    }

    @Override
    public void flightSettled(FlightSettled event) {
        throw new AssertionError("planned");
    }

    @Override
    public void evicted(String operation, EvictionCause cause) {
        throw new IllegalStateException("planned");
    }

    @Override
    public void forgotten(String operation, int keys) {
        throw new IllegalStateException("planned");
    }
}
