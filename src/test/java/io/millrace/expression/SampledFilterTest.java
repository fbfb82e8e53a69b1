package io.millrace.expression;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampledFilterTest {

    private static final int RECORDS = 1000;

    /** Notes which loop worked which part; each keeps what its share says. */
    private static List<String> parts(int records, int keptOfSample) {
        List<String> parts = new ArrayList<>();
        SampledFilter filter = new SampledFilter(
                (_, _, _, from, to, kept) -> {
                    parts.add("branching " + from + "-" + to);
                    return kept;
                },
                (_, _, _, from, to, kept) -> {
                    parts.add("branch-free " + from + "-" + to);
                    return kept + Math.min(keptOfSample, to - from);
                });
        filter.apply(batch(records), (_, _, _) -> {});
        return parts;
    }

    private static RecordBatch batch(int records) {
        int length = Trades.SCHEMA.baseLength();
        return new RecordBatch(Trades.SCHEMA).fill(new byte[records * length], 0, records, 0, 0);
    }

    @ParameterizedTest
    @CsvSource({
        "0, branching",
        "8, branching",
        "9, branch-free",
        "64, branch-free",
        "119, branch-free",
        "120, branching"
    })
    void shouldChooseByTheFirstRecords(int kept, String loop) {
        assertThat(parts(RECORDS, kept)).containsExactly("branch-free 0-128", loop + " 128-1000");
    }

    @Test
    void shouldWorkASmallBatchAtOnce() {
        assertThat(parts(128, 0)).containsExactly("branch-free 0-128");
        assertThat(parts(0, 0)).containsExactly("branch-free 0-0");
    }

    @ParameterizedTest
    @CsvSource({"1", "5", "50", "95", "99", "100"})
    void shouldKeepTheSameRecordsWhicheverLoopWorksThem(int percent) {
        Records records = new Records(Trades.SCHEMA);
        for (long i = 0; i < RECORDS; i++) {
            records.add(Map.of("id", i, "currency1", i * 7 % 100 < percent ? "GBP" : "JPY", "exchangeRate", 1.0));
        }
        assertThat(records.kept("currency1 == 'GBP' and id >= 3"))
                .isEqualTo(IntStream.range(3, RECORDS)
                        .filter(i -> i * 7 % 100 < percent)
                        .boxed()
                        .toList());
    }
}
