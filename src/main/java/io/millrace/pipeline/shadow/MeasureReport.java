package io.millrace.pipeline.shadow;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the rows and alerts of a measure differ, as the HTTP API and commands show it in JSON.
 *
 * @param measure name of the measure
 * @param problem why it is not compared; null if it is. Without a comparison, all counts are 0
 * @param same rows of closed windows that are the same by both versions of the rules
 * @param differences other rows, by kind; all kinds. A row by the candidate and one by the live rules are the same row
 *     if their window and group are the same
 * @param skipped rows that are not compared, and neither are their alerts, because too many waited for those of the
 *     other version
 * @param alerts alerts on the rows
 * @param examples the first rows of each kind
 */
public record MeasureReport(
        String measure,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String problem,

        long same,
        Map<RowDifference, Long> differences,
        long skipped,
        List<AlertReport> alerts,
        List<RowExample> examples) {

    /**
     * Changes of an alert's state, each for one group in one window.
     *
     * @param alert name of the alert
     * @param raised how often it is raised
     * @param cleared how often it is cleared
     * @param examples the first changes by one version of the rules only
     */
    public record AlertReport(String alert, Changes raised, Changes cleared, List<AlertExample> examples) {}

    /**
     * Changes of one kind.
     *
     * @param same by both versions of the rules
     * @param fresh by the candidate only
     * @param missing by the live rules only
     */
    public record Changes(long same, @JsonProperty("new") long fresh, long missing) {}

    /**
     * A row with a difference.
     *
     * @param live row by the live rules; null if there is none
     * @param shadow row by the candidate; null if there is none
     */
    public record RowExample(
            RowDifference difference,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Map<String, @Nullable Object> live,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Map<String, @Nullable Object> shadow) {}

    /**
     * A change by one version of the rules only.
     *
     * @param difference new or missing
     * @param raised true if the alert is raised, false if it is cleared
     * @param at end of the window
     * @param row row of the group
     */
    public record AlertExample(
            RowDifference difference, boolean raised, Instant at, Map<String, @Nullable Object> row) {}
}
