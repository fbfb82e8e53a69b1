package io.millrace.simulation;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The ordered pairs of constants that were seen. */
final class Pairs<E extends Enum<E>> {

    private final List<E> constants;
    /** What the text calls the relation of those that were not seen. */
    private final String missingRelation;

    private final BitSet seen = new BitSet();

    Pairs(Class<E> type, String missingRelation) {
        this.constants = List.of(type.getEnumConstants());
        this.missingRelation = missingRelation;
    }

    void add(E first, E second) {
        seen.set(index(first, second));
    }

    void addAll(Pairs<E> other) {
        seen.or(other.seen);
    }

    @SuppressWarnings("EnumOrdinal") // not stored
    private int index(E first, E second) {
        return first.ordinal() * constants.size() + second.ordinal();
    }

    /** Returns the number of pairs that were seen. */
    int seen() {
        return seen.cardinality();
    }

    /** Returns the number of pairs that there are. */
    int possible() {
        return constants.size() * constants.size();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Pairs<?> pairs && seen.equals(pairs.seen);
    }

    @Override
    public int hashCode() {
        return seen.hashCode();
    }

    /** A table: an x where the pair of the row and the column was seen. */
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder();
        for (E first : constants) {
            table.append("%n%-12s".formatted(first));
            List<String> missing = new ArrayList<>();
            for (E second : constants) {
                boolean found = seen.get(index(first, second));
                table.append(found ? 'x' : '.');
                if (!found) {
                    missing.add(second.name());
                }
            }
            table.append(missing.isEmpty() ? "" : " " + missingRelation + " " + missing);
        }
        return table.toString();
    }
}
