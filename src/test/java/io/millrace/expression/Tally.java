package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.TestBudget;
import java.util.EnumMap;
import java.util.Map;

/** What one property has seen. Not thread-safe. */
final class Tally {

    private static final int ROUNDS = Integer.getInteger("millrace.rounds", 1);

    /** What a record did, and why answers may differ. */
    enum Event {
        /** Expressions that we compiled: all but those whose constants are none. */
        EXPRESSION,
        /** Expressions that Spring compiled as well. */
        SPRING_COMPILED,
        /** Expressions that Spring says it can't compile: comparisons of decimals, {@code matches} and others. */
        SPRING_INTERPRETED,
        /** Expressions that Spring fails to compile as {@link SpringLimits} says. */
        SPRING_REFUSED,
        /** Records for which the answer is yes, or a value. */
        MATCHED,
        /** Records for which the answer is no. */
        UNMATCHED,
        /** Records without a result, or with an absent one where a value is needed, for us as for stock SpEL. */
        REJECTED,
        /** Answers of Spring's generated code that were compared. */
        SPRING_ANSWER,
        /** Records that we reject because the result is past 64 bits, or is half a character. */
        BEYOND_US,
        /** Records on which Spring's generated code fails as {@link SpringLimits} says. */
        BEYOND_SPRING
    }

    private final String property;
    private final Map<Event, Long> counts = new EnumMap<>(Event.class);

    Tally(String property) {
        this.property = property;
    }

    void add(Event event) {
        counts.merge(event, 1L, Long::sum);
    }

    private long of(Event event) {
        return counts.getOrDefault(event, 0L);
    }

    /** Fails unless an event was seen at least this often in a complete run of one round. */
    Tally requires(Event event, int min) {
        assertThat(of(event)).as("%s in %s", event, this).isGreaterThanOrEqualTo((long) TestBudget.of(min) * ROUNDS);
        return this;
    }

    /** Fails if an event was seen more often than a share of another. */
    Tally limits(Event event, double share, Event of) {
        assertThat((double) of(event)).as("%s in %s", event, this).isLessThanOrEqualTo(share * of(of));
        return this;
    }

    @Override
    public String toString() {
        return property + " " + counts;
    }
}
