package io.millrace.pipeline.shadow;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the results of a candidate differ from those of the live rules, as the HTTP API and commands show it in JSON. The
 * counts add up: each record has the same result or one difference.
 *
 * @param records records on which both have run; with a step {@code unnest}, each record that it makes counts instead
 *     of that of the feed
 * @param skipped records of the feed that were not compared, because the candidate had no time left or the elements of
 *     their batch take too much memory; 0 in a backtest
 * @param same records with the same result
 * @param differences records with different results, by kind; all kinds
 * @param groups the same by the values of fields; empty without such fields
 * @param nanosPerRecord time of the candidate's steps on the records, divided by their number, as are the other times
 * @param liveNanosPerRecord time of the live steps other than measures on the same records
 * @param totalNanosPerRecord time that a shadow adds to the pipeline's thread, also for skipped records; all of a
 *     backtest
 * @param examples some of the records with different results, chosen at random
 */
public record ShadowReport(
        long records,
        long skipped,
        long same,
        Map<Difference, Long> differences,
        List<Group> groups,
        double nanosPerRecord,
        double liveNanosPerRecord,
        double totalNanosPerRecord,
        List<Example> examples) {

    /**
     * Records with the same values of the fields by which differences are counted.
     *
     * @param by values by field
     * @param differences counts; only the kinds that occur
     */
    public record Group(Map<String, String> by, Map<Difference, Long> differences) {}

    /**
     * A record with different results.
     *
     * @param position position in the feed; null for a feed without positions
     * @param shadow result of the candidate
     */
    public record Example(
            Difference difference,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long position,

            Side live,
            Side shadow) {}

    /**
     * A result.
     *
     * @param outcome kept, dropped or rejected
     * @param target name of the region, or {@code channel:} and the name of the channel; null unless the record is kept
     * @param reason why the record is rejected; null unless it is
     * @param values values by field name: of a kept record those that the target receives, of another one those of the
     *     feed
     */
    public record Side(
            String outcome,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String target,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String reason,

            Map<String, @Nullable Object> values) {}
}
