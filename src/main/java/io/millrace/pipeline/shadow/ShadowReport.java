package io.millrace.pipeline.shadow;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the results of a candidate differ from those of the live rules. The counts add up: each record has the same
 * result or one difference.
 *
 * @param records records on which both have run
 * @param same records with the same result
 * @param differences records with different results, by kind; all kinds
 * @param groups differences by the values of the fields by which they are counted; empty without such fields
 * @param examples some of these records, chosen at random
 * @param nanos time of the candidate's steps, in nanoseconds for each record
 * @param liveNanos time of the live steps other than measures, in nanoseconds for each record
 * @param totalNanos time that the shadow adds to the pipeline's thread, in nanoseconds for each record
 */
public record ShadowReport(
        long records,
        long same,
        Map<Difference, Long> differences,
        Map<List<String>, Map<Difference, Long>> groups,
        List<Example> examples,
        double nanos,
        double liveNanos,
        double totalNanos) {

    /**
     * A record with different results.
     *
     * @param position position in the feed; null for a feed without positions
     */
    public record Example(Difference difference, @Nullable Long position, Side live, Side candidate) {}

    /**
     * A result.
     *
     * @param outcome kept, dropped or rejected
     * @param target name of the region, or {@code channel:} and the name of the channel; null unless the record is kept
     * @param reason why the record is rejected; null unless it is
     * @param values values by field name: of a kept record with the fields that steps added, of another one without
     */
    public record Side(
            String outcome,
            @Nullable String target,
            @Nullable String reason,
            Map<String, @Nullable Object> values) {}
}
