package io.millrace.web;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.pipeline.shadow.Difference;
import io.millrace.pipeline.shadow.RunningShadow;
import io.millrace.pipeline.shadow.ShadowReport;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A shadow in JSON.
 *
 * @param pipeline name of the pipeline
 * @param fingerprint fingerprint of the rules that are compared
 * @param author who started the shadow
 * @param time when it was started
 * @param version number of the live version with which they are compared
 * @param since position of the pipeline when the comparison with this version began
 * @param ended why it has ended; null while it compares
 * @param records records on which both have run
 * @param same records with the same result
 * @param differences records with different results, by kind of difference
 * @param nanosPerRecord time of the steps
 * @param liveNanosPerRecord time of the live steps, without measures
 * @param totalNanosPerRecord time that the shadow adds
 * @param examples some of the records with different results
 */
record ShadowView(
        String pipeline,
        String fingerprint,
        String author,
        Instant time,
        long version,
        long since,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String ended,

        long records,
        long same,
        Map<String, Long> differences,
        double nanosPerRecord,
        double liveNanosPerRecord,
        double totalNanosPerRecord,
        List<ExampleView> examples) {

    /**
     * A record with different results.
     *
     * @param position position in the feed; null for a feed without positions
     */
    record ExampleView(
            String difference,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Long position,

            SideView live,
            SideView shadow) {}

    /**
     * A result.
     *
     * @param outcome kept, dropped or rejected
     * @param target name of the target of a kept record
     * @param reason why the record was rejected
     */
    record SideView(
            String outcome,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String target,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String reason,

            Map<String, @Nullable Object> values) {

        static SideView of(ShadowReport.Side side) {
            return new SideView(side.outcome(), side.target(), side.reason(), side.values());
        }
    }

    static ShadowView of(String pipeline, RunningShadow shadow) {
        ShadowReport report = shadow.report();
        return new ShadowView(
                pipeline,
                shadow.text().fingerprint(),
                shadow.author(),
                shadow.time(),
                shadow.version(),
                shadow.since(),
                shadow.ended(),
                report.records(),
                report.same(),
                differences(report.differences()),
                report.nanos(),
                report.liveNanos(),
                report.totalNanos(),
                examples(report));
    }

    /** Returns the counts of all kinds of differences. */
    static Map<String, Long> differences(Map<Difference, Long> counts) {
        Map<String, Long> differences = new LinkedHashMap<>();
        for (Difference difference : Difference.values()) {
            differences.put(difference.tag(), counts.getOrDefault(difference, 0L));
        }
        return differences;
    }

    static List<ExampleView> examples(ShadowReport report) {
        return report.examples().stream()
                .map(example -> new ExampleView(
                        example.difference().tag(),
                        example.position(),
                        SideView.of(example.live()),
                        SideView.of(example.candidate())))
                .toList();
    }
}
