package dev.singleflight;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Deadlines that all lie the same time ahead when they are added, hence expire in the order in which they were added: a
 * linked list is their priority queue. Adding and removing cost a few pointers, and the timer thread is troubled once
 * for each span of that time, not once for each deadline, since one armed timer stands for all: when it fires it takes
 * what is due and looks at the head for its next turn.
 *
 * <p>The list is split by thread, each part with its own lock and timer, so that flights on many cores do not meet here.
 */
final class DeadlineQueue {

    private static final int PARTS = Integer.highestOneBit(Math.max(
            1, Math.min(16, 2 * Runtime.getRuntime().availableProcessors() - 1)));

    private final Timers timers;
    private final long span;
    private final Part[] parts = new Part[PARTS];

    DeadlineQueue(Timers timers, long spanNanos) {
        this.timers = timers;
        this.span = spanNanos;
        for (int i = 0; i < PARTS; i++) {
            parts[i] = new Part();
        }
    }

    /** A thing with a deadline; it is in one queue at a time. */
    abstract static class Deadline {

        // written under the lock of the part; whoever disarms has armed, or comes too late and meets a late signal
        private @Nullable Part part;
        private @Nullable Deadline previous;
        private @Nullable Deadline next;
        private long due;

        /** Called on a worker once the deadline has passed, unless it was removed before that was seen. */
        abstract void expired();

        /** Whether that is quick, so that those that fall due together share a worker instead of starting one each. */
        boolean isQuick() {
            return false;
        }

        /** Removes this deadline from its queue, if it is in one. */
        final void disarm() {
            Part owner = part;
            if (owner != null) {
                owner.remove(this);
            }
        }
    }

    void add(Deadline deadline) {
        add(deadline, timers.nanoTime());
    }

    /** Adds a deadline that counts from a reading of the clock just made. */
    void add(Deadline deadline, long now) {
        parts[(int) Thread.currentThread().getId() & PARTS - 1].add(deadline, now);
    }

    private final class Part extends ReentrantLock {

        private static final long serialVersionUID = 1L;

        private @Nullable Deadline first;
        private @Nullable Deadline last;
        private boolean armed;

        void add(Deadline deadline, long now) {
            boolean arm;
            lock();
            try {
                deadline.part = this;
                deadline.due = now + span;
                deadline.previous = last;
                if (last == null) {
                    first = deadline;
                } else {
                    last.next = deadline;
                }
                last = deadline;
                arm = !armed;
                armed = true;
            } finally {
                unlock();
            }
            if (arm) {
                signal(span);
            }
        }

        /** Where no timer can be had, the caller is told, and the next deadline that is added tries again. */
        private void signal(long nanos) {
            boolean set = false;
            try {
                set = timers.signal(this::fire, nanos) != null;
            } finally {
                if (!set) {
                    lock();
                    armed = false;
                    unlock();
                }
            }
        }

        void remove(Deadline deadline) {
            lock();
            try {
                unlink(deadline);
            } finally {
                unlock();
            }
        }

        private void unlink(Deadline deadline) {
            if (deadline.part == null) {
                return;
            }
            Deadline before = deadline.previous;
            Deadline after = deadline.next;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after == null) {
                last = before;
            } else {
                after.previous = before;
            }
            deadline.part = null;
            deadline.previous = null;
            deadline.next = null;
        }

        private void fire() {
            List<Deadline> due = new ArrayList<>();
            long rest = 0;
            lock();
            try {
                long now = timers.nanoTime();
                while (first != null && (rest = first.due - now) <= 0) {
                    due.add(first);
                    unlink(first);
                }
                armed = first != null;
            } finally {
                unlock();
            }
            List<Deadline> quick = new ArrayList<>();
            for (Deadline deadline : due) {
                if (deadline.isQuick()) {
                    quick.add(deadline);
                } else {
                    timers.handOver(deadline::expired);
                }
            }
            if (!quick.isEmpty()) {
                timers.handOver(() -> quick.forEach(Deadline::expired));
            }
            if (rest > 0) {
                signal(rest);
            }
        }
    }
}
