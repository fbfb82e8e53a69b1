package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.expression.RandomRules.Rule;
import io.millrace.expression.Tally.Event;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One rule and the same records, asked three ways: SpEL's interpreter on the decoded records says what is right;
 * Spring's SpEL over the bytes, interpreted and generated, and what we generate must say the same.
 *
 * <p>Where there is no result, the interpreter throws, Spring's code throws, and we reject the record.
 */
final class ThreeWays {

    private final Tally tally;
    private final Rule rule;
    private final List<Map<String, @Nullable Object>> decoded = new ArrayList<>();
    private final List<Answer> expected = new ArrayList<>();

    /** What is right: a value, or that there is none. */
    record Answer(@Nullable Object value, boolean exists) {}

    ThreeWays(Tally tally, Schema schema, Rule rule, Records records) {
        this.tally = tally;
        this.rule = rule;
        tally.add(Event.EXPRESSION);
        RecordBatch batch = records.batch();
        StockSpel stock = new StockSpel(rule.stock());
        for (int i = 0; i < batch.selected(); i++) {
            decoded.add(records.decode(batch, i));
            expected.add(answer(stock, decoded.get(i)));
        }
        if (SpringOnBytes.serves(rule.stock(), schema)) {
            askSpring(
                    new SpringOnBytes(rule.stock(), schema),
                    IntStream.range(0, decoded.size())
                            .mapToObj(i -> records.bytes(batch, i))
                            .toList());
        }
    }

    private static Answer answer(StockSpel stock, Map<String, @Nullable Object> record) {
        try {
            return new Answer(stock.value(record), true);
        } catch (RuntimeException e) {
            return new Answer(null, false);
        }
    }

    private void askSpring(SpringOnBytes spring, List<byte[]> records) {
        for (int i = 0; i < records.size(); i++) {
            SpringOnBytes.Answer answer = spring.answer(records.get(i));
            assertThat(answer(answer)).as(() -> "Spring interpreting " + rule).isEqualTo(expected.get(i));
        }
        Event compiled = spring.compile();
        tally.add(compiled);
        for (int i = 0; i < records.size() && compiled == Event.SPRING_COMPILED; i++) {
            SpringOnBytes.Answer answer = spring.answer(records.get(i));
            if (!answer(answer).equals(expected.get(i)) && spring.isBeyond(records.get(i), answer)) {
                tally.add(Event.BEYOND_SPRING);
                continue;
            }
            int at = i;
            assertThat(answer(answer))
                    .as(() -> "Spring compiling %s%nover %s%n%s".formatted(rule, decoded.get(at), answer.failure()))
                    .isEqualTo(expected.get(i));
            tally.add(Event.SPRING_ANSWER);
        }
    }

    private static Answer answer(SpringOnBytes.Answer answer) {
        return new Answer(answer.value(), answer.failure() == null);
    }

    /** What is right for a record. */
    Answer expected(int ordinal) {
        return expected.get(ordinal);
    }

    /**
     * Compares what we say of a record.
     *
     * @param ours not looked at where the record is rejected
     * @param right what we must say, or null where we must reject the record
     */
    void compare(int ordinal, @Nullable Object ours, @Nullable RejectReason reject, @Nullable Object right) {
        if (reject != null && isBeyondUs(reject)) {
            tally.add(Event.BEYOND_US);
            return;
        }
        assertThat(reject == null ? ours : null)
                .as(() -> "%s%nover %s%nrejected %s".formatted(rule, decoded.get(ordinal), reject))
                .isEqualTo(right);
        tally.add(right == null ? Event.REJECTED : Objects.equals(right, false) ? Event.UNMATCHED : Event.MATCHED);
    }

    /**
     * Stock SpEL wraps whole numbers, widens decimals and cuts pairs of surrogates apart, as documented, and gets
     * instants from functions that a long of nanoseconds can't hold.
     */
    private static boolean isBeyondUs(RejectReason reject) {
        return reject.detail().contains("too large for 64 bits")
                || reject.detail().contains("which is not between 1677 and 2262")
                || reject.detail().contains("too large for 128 bits")
                || reject.detail().contains("surrogate pair");
    }
}
