package dev.singleflight;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The callers' side of a flight: who is attached, and who is to be woken. Two fields decide its races, each changed by
 * single atomic steps:
 *
 * <p>{@link #attached} counts the callers and closes the door. Joining, leaving and closing each change it in one step: a
 * caller is attached before the door closes, and then the outcome is there for it, or it is turned away and looks at the
 * key again. It opens once the flight is admitted, which is after it was put under its key, so that no caller is refused
 * for want of a permit that another caller of its key holds; who comes in between waits for these few steps, and finds it
 * closed where admission was refused. The flight writes its outcome, gives its permit back and retains or frees its key before it closes the
 * door, so whoever finds it closed sees all that. A last caller that takes an abandoned flight along closes the door in
 * the step of its leaving: no joiner slips in behind it to see a cancellation.
 *
 * <p>{@link #waiters} are those to be woken, a stack that ends as {@link #DRAINED}. A caller that is attached but not on
 * it when it is drained finds that out when it pushes, and takes the outcome itself. Callers that left are swept out once
 * they outnumber those that stay: each departure costs O(1) on the average, and what is left behind is bounded by what
 * is there.
 */
abstract sealed class WaitingRoom extends Slot permits Flight {

    private static final int CLOSED = -1;
    private static final int NOT_YET_OPEN = -2;
    private static final Waiter DRAINED = ThreadWaiter.NOBODY;

    private static final VarHandle ATTACHED;
    private static final VarHandle WAITERS;
    private static final VarHandle DEPARTED;
    private static final VarHandle SWEEPING;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            ATTACHED = lookup.findVarHandle(WaitingRoom.class, "attached", int.class);
            WAITERS = lookup.findVarHandle(WaitingRoom.class, "waiters", Waiter.class);
            DEPARTED = lookup.findVarHandle(WaitingRoom.class, "departed", int.class);
            SWEEPING = lookup.findVarHandle(WaitingRoom.class, "sweeping", boolean.class);
        } catch (ReflectiveOperationException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    private volatile int attached;

    private volatile @Nullable Waiter waiters;

    /** Links of {@link #waiters} whose callers have left. */
    private volatile int departed;

    private volatile boolean sweeping;

    /** Written before the door closes. */
    private int served;

    WaitingRoom(Object key) {
        super(key, key.hashCode());
        ATTACHED.set(this, NOT_YET_OPEN); // plain: the registry publishes it
    }

    /** What became of an attempt to join. */
    enum Joining {
        ATTACHED,
        FULL,
        OVER
    }

    /** Lets callers in; the leader is the first. */
    final void open() {
        ATTACHED.setRelease(this, 1);
    }

    /** Turns callers away for good: the flight was not admitted. */
    final void stayClosed() {
        attached = CLOSED;
    }

    /** Whether the flight was admitted and is not over; waits while that is being decided. */
    final boolean isOpen() {
        return awaitDecision() != CLOSED;
    }

    private int awaitDecision() {
        int now;
        while ((now = attached) == NOT_YET_OPEN) {
            Thread.yield();
        }
        return now;
    }

    final Joining join(int maxWaiters) {
        for (; ; ) {
            int now = awaitDecision();
            if (now == CLOSED) {
                return Joining.OVER;
            }
            if (now >= maxWaiters) {
                return Joining.FULL;
            }
            if (ATTACHED.compareAndSet(this, now, now + 1)) {
                return Joining.ATTACHED;
            }
        }
    }

    /** Has the waiter woken when the door has closed; returns false if it has and the outcome is there. */
    final boolean push(Waiter waiter) {
        for (; ; ) {
            Waiter top = waiters;
            if (top == DRAINED) {
                return false;
            }
            waiter.next = top;
            if (WAITERS.compareAndSet(this, top, waiter)) {
                return true;
            }
        }
    }

    /** Whether the outcome is there for those who are attached. */
    final boolean isClosed() {
        return attached == CLOSED;
    }

    final int attached() {
        return Math.max(attached, 0);
    }

    /** Detaches a caller; returns false if the outcome came first. */
    final boolean depart() {
        for (; ; ) {
            int now = attached;
            if (now == CLOSED) {
                return false;
            }
            boolean ends = now == 1 && endsWhenAbandoned();
            if (ATTACHED.compareAndSet(this, now, ends ? CLOSED : now - 1)) {
                if (ends) {
                    abandoned();
                }
                return true;
            }
        }
    }

    /** Whether the flight shall not go on without callers. */
    abstract boolean endsWhenAbandoned();

    /** Called by the last caller, which has closed the door behind it. */
    abstract void abandoned();

    /** Notes that the caller of a link has left, and sweeps the stack if it is due. */
    final void sweep() {
        DEPARTED.getAndAdd(this, 1);
        while (departed > attached && SWEEPING.compareAndSet(this, false, true)) {
            int swept = sweepBelow(waiters);
            DEPARTED.getAndAdd(this, -swept);
            sweeping = false;
            if (swept == 0) {
                return;
            }
        }
    }

    /** Unlinks what is gone, save the top: joiners compete for that. A drain meanwhile still meets all who stay. */
    private static int sweepBelow(@Nullable Waiter top) {
        int swept = 0;
        for (Waiter kept = top; kept != null; ) {
            Waiter below = kept.next;
            if (below != null && below.isGone()) {
                kept.next = below.next;
                swept++;
            } else {
                kept = below;
            }
        }
        return swept;
    }

    /** The waiters as they stand, the latest first; null at the end. */
    final @Nullable Waiter latest() {
        return waiters;
    }

    /** Closes the door; the outcome is out from here on. */
    final void close() {
        int now;
        do {
            now = attached;
            served = Math.max(now, 0);
        } while (!ATTACHED.compareAndSet(this, now, CLOSED));
    }

    /** Wakes everybody once: threads first, since they go on by themselves, then those that run code of the user's here. */
    final void wakeAll() {
        Waiter all = (Waiter) WAITERS.getAndSet(this, DRAINED);
        boolean others = false;
        for (Waiter waiter = all; waiter != null; waiter = waiter.next) {
            if (waiter instanceof ThreadWaiter) {
                waiter.settled();
            } else {
                others = true;
            }
        }
        for (Waiter waiter = others ? all : null; waiter != null; waiter = waiter.next) {
            if (!(waiter instanceof ThreadWaiter)) {
                waiter.settled();
            }
        }
    }

    @Override
    final int served() {
        return served;
    }
}
