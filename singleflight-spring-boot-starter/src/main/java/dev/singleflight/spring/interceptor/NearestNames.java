package dev.singleflight.spring.interceptor;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Suggests what somebody may have meant. */
final class NearestNames {

    private static final int SUGGESTIONS = 3;

    private NearestNames() {}

    /** Such as {@code the nearest names are A.b, A.c}. */
    static String of(String name, Collection<String> known) {
        if (known.isEmpty()) {
            return "there are no operations";
        }
        List<String> nearest = known.stream()
                .sorted(Comparator.comparingInt((String other) -> distance(name, other))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(SUGGESTIONS)
                .toList();
        return (nearest.size() == 1 ? "the nearest name is " : "the nearest names are ") + String.join(", ", nearest);
    }

    /** How many letters must change, whatever their case. */
    private static int distance(String one, String other) {
        String a = one.toLowerCase(Locale.ROOT);
        String b = other.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
