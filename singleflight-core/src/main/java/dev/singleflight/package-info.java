/**
 * Single flight: callers that ask for the same thing at the same time share one execution and its outcome.
 *
 * <p>Start at {@link dev.singleflight.SingleFlightEngine}. An {@link dev.singleflight.OperationDefinition} names work
 * and says which key makes two calls equivalent; binding it to an engine gives an {@link dev.singleflight.Operation},
 * the handle that callers use.
 *
 * <p>Who runs what: the thread that calls joins or starts a <em>flight</em> and waits; the work runs in
 * <em>attempts</em>, on a worker thread or on the leader's own ({@link dev.singleflight.RunOn}); the engine's one timer
 * thread only signals, and hands everything else to a worker. No user code runs under a lock of the engine.
 *
 * <p>Unless a comment says otherwise, every type here is safe for use by many threads, and no method accepts null.
 */
@NullMarked
package dev.singleflight;

import org.jspecify.annotations.NullMarked;
