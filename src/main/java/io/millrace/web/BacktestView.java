package io.millrace.web;

import io.millrace.pipeline.shadow.ShadowReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A backtest in JSON.
 *
 * @param pipeline name of the pipeline
 * @param region region whose records were read
 * @param version number of the live version with which the rules were compared
 * @param records records on which both have run
 * @param same records with the same result
 * @param differences records with different results, by kind of difference
 * @param groups the same by the values of fields
 * @param nanosPerRecord time of the steps
 * @param liveNanosPerRecord time of the live steps, without measures
 * @param examples some of the records with different results
 */
record BacktestView(
        String pipeline,
        String region,
        long version,
        long records,
        long same,
        Map<String, Long> differences,
        List<Group> groups,
        double nanosPerRecord,
        double liveNanosPerRecord,
        List<ShadowView.ExampleView> examples) {

    /** @param by values by field */
    record Group(Map<String, String> by, Map<String, Long> differences) {}

    static BacktestView of(String pipeline, String region, long version, List<String> by, ShadowReport report) {
        return new BacktestView(
                pipeline,
                region,
                version,
                report.records(),
                report.same(),
                ShadowView.differences(report.differences()),
                report.groups().entrySet().stream()
                        .map(group -> {
                            Map<String, String> values = new LinkedHashMap<>();
                            for (int i = 0; i < by.size(); i++) {
                                values.put(by.get(i), group.getKey().get(i));
                            }
                            return new Group(values, ShadowView.differences(group.getValue()));
                        })
                        .toList(),
                report.nanos(),
                report.liveNanos(),
                ShadowView.examples(report));
    }
}
