package dev.singleflight;

/** Whose thread runs the attempts of a flight. */
public enum RunOn {
    /** A worker thread of the engine, the default: no caller's fate (an interrupt, a deadline, a transaction) can decide a flight that belongs to all its callers. */
    WORKER,
    /** The thread of the caller that started the flight: lowest latency, and for work that must stay there. Callers without a thread to lend ({@code callAsync}, {@code send}) use a worker. */
    LEADER
}
