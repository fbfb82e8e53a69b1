package io.millrace.cli.service;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Prints how the results of two versions of rules differ. */
public final class ComparisonText {

    private static final int WIDTH = 16;
    private static final int GROUPS = 50;

    private final JsonNode comparison;
    private final PrintWriter out;
    private final long records;

    private ComparisonText(JsonNode comparison, PrintWriter out) {
        this.comparison = comparison;
        this.out = out;
        this.records = comparison.path("records").asLong();
    }

    /** Prints what a shadow has compared, in the form of the HTTP API. */
    public static void printShadow(JsonNode shadow, PrintWriter out) {
        ComparisonText text = new ComparisonText(shadow, out);
        text.print(" (live %.1f ns), the shadow adds %.1f ns");
    }

    /** Prints the result of a backtest, in the form of the HTTP API. */
    public static void printBacktest(JsonNode backtest, PrintWriter out) {
        ComparisonText text = new ComparisonText(backtest, out);
        text.print(", before %.1f ns");
    }

    /** @param otherTimes format of the times of the live rules and of all */
    private void print(String otherTimes) {
        long skipped = comparison.path("skipped").asLong();
        if (skipped > 0) {
            out.println(String.format(Locale.ROOT, "  %-" + WIDTH + "s%d", "skipped", skipped));
        }
        count("same", comparison.path("same").asLong());
        comparison
                .path("differences")
                .properties()
                .forEach(difference ->
                        count(difference.getKey(), difference.getValue().asLong()));
        out.println(String.format(
                Locale.ROOT,
                "  %-" + WIDTH + "s%.1f ns a record" + otherTimes,
                "steps",
                comparison.path("nanosPerRecord").asDouble(),
                comparison.path("liveNanosPerRecord").asDouble(),
                comparison.path("totalNanosPerRecord").asDouble()));
        groups();
        comparison.path("examples").forEach(this::example);
        comparison.path("measures").forEach(this::measure);
        out.flush();
    }

    private void measure(JsonNode measure) {
        out.println();
        String name = "measure " + measure.path("measure").asString("");
        if (measure.has("problem")) {
            out.println(name + " is not compared. " + AnswerText.lines(measure.path("problem")));
            return;
        }
        long skipped = measure.path("skipped").asLong();
        out.println(name + ": rows same " + measure.path("same").asLong() + ", " + counts(measure.path("differences"))
                + (skipped == 0 ? "" : ", not compared " + skipped));
        for (JsonNode alert : measure.path("alerts")) {
            out.println("  alert " + alert.path("alert").asString("") + ": raised " + counts(alert.path("raised"))
                    + "; cleared " + counts(alert.path("cleared")));
            for (JsonNode example : alert.path("examples")) {
                out.println("    " + example.path("difference").asString("") + ", "
                        + (example.path("raised").asBoolean() ? "raised: " : "cleared: ")
                        + values(example.path("row"), null));
            }
        }
        for (JsonNode example : measure.path("examples")) {
            out.println("  " + example.path("difference").asString(""));
            JsonNode live = example.path("live");
            JsonNode other = example.path("shadow");
            row("live", live, null);
            row("shadow", other, live.isMissingNode() ? null : live);
        }
    }

    private void row(String name, JsonNode row, @Nullable JsonNode other) {
        if (!row.isMissingNode()) {
            out.println(String.format(Locale.ROOT, "    %-8s", name) + values(row, other));
        }
    }

    private static String counts(JsonNode counts) {
        return counts.properties().stream()
                .map(count -> count.getKey() + " " + count.getValue().asLong())
                .collect(Collectors.joining(", "));
    }

    private void count(String what, long count) {
        out.println(String.format(
                Locale.ROOT, "  %-" + WIDTH + "s%d (%.2f %%)", what, count, 100.0 * count / Math.max(1, records)));
    }

    /** Prints the groups with the most differences. */
    private void groups() {
        List<JsonNode> groups = comparison
                .path("groups")
                .valueStream()
                .sorted(Comparator.comparingLong(ComparisonText::differences).reversed())
                .toList();
        for (JsonNode group : groups.subList(0, Math.min(GROUPS, groups.size()))) {
            out.println("  " + values(group.path("by"), null) + ": " + counts(group.path("differences")));
        }
        if (groups.size() > GROUPS) {
            out.println("  and " + (groups.size() - GROUPS) + " other groups, see --json");
        }
    }

    private static long differences(JsonNode group) {
        return group.path("differences")
                .valueStream()
                .mapToLong(JsonNode::asLong)
                .sum();
    }

    private void example(JsonNode example) {
        out.println();
        out.println(example.path("difference").asString("")
                + (example.has("position")
                        ? " at position " + example.path("position").asLong()
                        : ""));
        JsonNode live = example.path("live");
        JsonNode other = example.path("shadow");
        side("live", live, values(live.path("values"), null));
        side("shadow", other, values(other.path("values"), live.path("values")));
    }

    private void side(String name, JsonNode side, String values) {
        out.println(
                String.format(Locale.ROOT, "  %-8s", name) + result(side) + (values.isEmpty() ? "" : ": " + values));
    }

    private static String result(JsonNode side) {
        String outcome = side.path("outcome").asString("");
        if (side.has("target")) {
            return outcome + " in " + side.path("target").asString("");
        }
        return side.has("reason") ? outcome + ", " + AnswerText.line(side.path("reason")) : outcome;
    }

    /** Returns the values, or those that differ from other ones. */
    private static String values(JsonNode values, @Nullable JsonNode other) {
        return values.properties().stream()
                .filter(value -> other == null || !value.getValue().equals(other.path(value.getKey())))
                .map(ComparisonText::text)
                .collect(Collectors.joining(", "));
    }

    private static String text(Map.Entry<String, JsonNode> value) {
        JsonNode node = value.getValue();
        return value.getKey() + "=" + (node.isValueNode() ? AnswerText.line(node) : node.toString());
    }
}
