package dev.singleflight;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The keys of one identity. Every change of a key is one atomic step of {@link #slots} that names the slot which it
 * expects there, so a late one (the end of a forgotten flight, the eviction of an old outcome) changes nothing. Keys are
 * compared inside those steps; no other code of the user's is.
 */
final class FlightRegistry {

    private final ConcurrentHashMap<Object, Slot> slots = new ConcurrentHashMap<>();

    /** Flights that were forgotten and still run. */
    private final Set<Flight> forgotten = ConcurrentHashMap.newKeySet();

    @Nullable
    Slot find(Object key) {
        return slots.get(key);
    }

    /**
     * Puts the flight, not yet open, where nothing is; returns false where something is.
     *
     * @throws RuntimeException what the key throws; the flight may be in place all the same
     */
    boolean putIfAbsent(Flight flight) {
        return slots.putIfAbsent(flight.key, flight) == null;
    }

    /** Turns a flight into its retained outcome, unless it was forgotten. */
    boolean retain(Flight flight, Retained retained) {
        try {
            return slots.replace(flight.key, flight, retained);
        } catch (Throwable keyBroke) {
            return false;
        }
    }

    /** Frees the key if it still maps to the slot. */
    void remove(Slot slot) {
        if (!removeSlot(slot) && slot instanceof Flight flight) {
            forgotten.remove(flight);
        }
    }

    private boolean removeSlot(Slot slot) {
        try {
            if (slots.remove(slot.key, slot)) {
                return true;
            }
        } catch (Throwable keyBroke) {
            // found by its old hash below
        }
        return slots.remove(new OldKey(slot.key, slot.hash), slot);
    }

    /**
     * Detaches the slot from its key. A flight enters {@link #forgotten} before it leaves the map: whoever looks at the
     * map and then at the set meets every flight, and a flight that finds itself gone from the map can leave the set.
     */
    boolean forget(Slot slot) {
        if (slot instanceof Flight flight) {
            forgotten.add(flight);
            if (!removeSlot(flight)) {
                forgotten.remove(flight);
                return false;
            }
            return true;
        }
        return removeSlot(slot);
    }

    void forEach(Consumer<Slot> action) {
        slots.values().forEach(action);
    }

    /** Every flight that was admitted and is not settled, forgotten ones too; some twice. */
    void forEachFlight(Consumer<Flight> action) {
        slots.values().forEach(slot -> {
            if (slot instanceof Flight flight && flight.isOpen()) {
                action.accept(flight);
            }
        });
        forgotten.forEach(flight -> {
            if (flight.isOpen()) {
                action.accept(flight);
            }
        });
    }

    /** Finds a key by the hash it had, and by being the same object. */
    private static final class OldKey {

        private final Object key;
        private final int hash;

        OldKey(Object key, int hash) {
            this.key = key;
            this.hash = hash;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other == key;
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }
}
