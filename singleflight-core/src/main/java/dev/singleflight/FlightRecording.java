package dev.singleflight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** Writes attempts and flights to a JFR recording, where one is on. A key is never in it. */
final class FlightRecording {

    /** A run-time image may come without the module. */
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /** Asked first, since touching an event type would start JFR up in applications that never record. */
    private static boolean isOn() {
        return PRESENT && FlightRecorder.isInitialized();
    }

    static void attemptEnded(String operation, int attempt, FlightListener.Result result) {
        if (isOn() && AttemptEnded.TYPE.isEnabled()) {
            AttemptEnded event = new AttemptEnded();
            event.operation = operation;
            event.attempt = attempt;
            event.result = result.name();
            event.commit();
        }
    }

    static void flightSettled(String operation, Flight flight, FlightListener.Result result) {
        if (isOn() && FlightSettled.TYPE.isEnabled()) {
            FlightSettled event = new FlightSettled();
            event.operation = operation;
            event.attempts = flight.attempts();
            event.waiters = flight.attached();
            event.result = result.name();
            event.elapsed = flight.elapsed().toNanos();
            event.commit();
        }
    }

    @Name("dev.singleflight.AttemptEnded")
    @Label("Attempt Ended")
    @Category("Single Flight")
    @Description("One run of an operation's work ended, or was overtaken by its timeout")
    @StackTrace(false)
    static final class AttemptEnded extends Event {

        static final EventType TYPE = EventType.getEventType(AttemptEnded.class);

        @Label("Operation")
        String operation = "";

        @Label("Attempt")
        int attempt;

        @Label("Result")
        String result = "";
    }

    @Name("dev.singleflight.FlightSettled")
    @Label("Flight Settled")
    @Category("Single Flight")
    @Description("The outcome of a flight was fixed")
    @StackTrace(false)
    static final class FlightSettled extends Event {

        static final EventType TYPE = EventType.getEventType(FlightSettled.class);

        @Label("Operation")
        String operation = "";

        @Label("Attempts")
        int attempts;

        @Label("Waiters")
        @Description("Callers attached, the leader included")
        int waiters;

        @Label("Result")
        String result = "";

        @Label("Elapsed")
        @Description("Time since the flight started")
        @Timespan(Timespan.NANOSECONDS)
        long elapsed;
    }
}
