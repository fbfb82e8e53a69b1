package trades;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import trades.HeapRecorder.Event;
import trades.HeapRecorder.Recorded;

/**
 * Draws the use of the heap over time and the GC pauses of two runs, one below the other, with the same scales, as SVG
 * for light and dark pages.
 */
public final class HeapChart {

    private static final int WIDTH = 860;
    private static final int LEFT = 70;
    private static final int PLOT_WIDTH = 760;
    private static final int TOP = 40;
    private static final int HEAP_HEIGHT = 150;
    private static final int PAUSE_TOP = 215;
    private static final int PAUSE_HEIGHT = 60;
    private static final int PANEL_HEIGHT = 320;
    private static final int HEIGHT = 2 * PANEL_HEIGHT + 20;
    private static final int TICKS = 5;
    private static final int PAUSE_TICKS = 2;
    private static final double SECOND_MILLIS = 1000;

    private static final String STYLE = """
            <style>
              .page { fill: #ffffff } text { fill: #1f2328; font: 12px sans-serif } .title { font-weight: bold }
              .grid { stroke: #d1d9e0 } .axis { stroke: #59636e } .heap { stroke: #0969da; fill: none; stroke-width: 1.5 }
              .pause { stroke: #cf222e; stroke-width: 2 }
              @media (prefers-color-scheme: dark) {
                .page { fill: #0d1117 } text { fill: #f0f6fc } .grid { stroke: #3d444d } .axis { stroke: #9198a1 }
                .heap { stroke: #58a6ff } .pause { stroke: #ff7b72 }
              }
            </style>
            """;

    private final double seconds;
    private final double megabytes;
    private final double pauseMillis;
    private final StringBuilder svg = new StringBuilder();

    private HeapChart(List<Recorded> runs) {
        seconds = axis(max(runs.stream().map(HeapChart::seconds)), TICKS);
        megabytes = axis(max(runs.stream().flatMap(run -> run.heap().stream()).map(Event::megabytes)), TICKS);
        pauseMillis = axis(max(runs.stream().map(Recorded::longestPauseMillis)), PAUSE_TICKS);
    }

    /**
     * Draws the two runs.
     *
     * @param arguments file of the classic run, file of the binary run, file of the picture
     */
    public static void main(String[] arguments) throws IOException {
        Recorded classic = Recorded.read(Path.of(arguments[0]));
        Recorded binary = Recorded.read(Path.of(arguments[1]));
        Files.writeString(Path.of(arguments[2]), draw(classic, binary));
    }

    /** Returns the picture of two runs. */
    public static String draw(Recorded classic, Recorded binary) {
        HeapChart chart = new HeapChart(List.of(classic, binary));
        chart.append(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\">%n",
                WIDTH, HEIGHT, WIDTH, HEIGHT);
        chart.svg.append(STYLE);
        chart.append("<rect class=\"page\" width=\"%d\" height=\"%d\"/>%n", WIDTH, HEIGHT);
        chart.panel(0, "Before: classic objects", classic);
        chart.panel(PANEL_HEIGHT, "After: the same program over bytes", binary);
        chart.text(LEFT + PLOT_WIDTH / 2, HEIGHT - 12, "middle", "time since the start, s");
        return chart.svg.append("</svg>\n").toString();
    }

    private void panel(int top, String title, Recorded run) {
        append(
                "<text class=\"title\" x=\"%d\" y=\"%d\">%s: %.1f s, %s</text>%n",
                LEFT, top + TOP - 14, title, seconds(run), run);
        yAxis(top + TOP, HEAP_HEIGHT, megabytes, TICKS, "heap, MB");
        yAxis(top + PAUSE_TOP, PAUSE_HEIGHT, pauseMillis, PAUSE_TICKS, "pause, ms");
        int bottom = top + PAUSE_TOP + PAUSE_HEIGHT;
        for (int i = 0; i <= TICKS; i++) {
            double value = seconds * i / TICKS;
            text((int) x(value * SECOND_MILLIS), bottom + 16, "middle", number(value));
        }
        String line = run.heap().stream()
                .map(event -> String.format(
                        Locale.ROOT,
                        "%.1f,%.1f",
                        x(event.millis()),
                        top + TOP + HEAP_HEIGHT * (1 - event.megabytes() / megabytes)))
                .collect(Collectors.joining(" "));
        append("<polyline class=\"heap\" points=\"%s\"/>%n", line);
        for (Event pause : run.pauses()) {
            append(
                    "<line class=\"pause\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\"/>%n",
                    x(pause.millis()),
                    x(pause.millis()),
                    bottom,
                    bottom - PAUSE_HEIGHT * pause.pauseMillis() / pauseMillis);
        }
    }

    private void yAxis(int top, int height, double max, int ticks, String unit) {
        for (int i = 0; i <= ticks; i++) {
            int y = top + height - height * i / ticks;
            append(
                    "<line class=\"%s\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>%n",
                    i == 0 ? "axis" : "grid", LEFT, LEFT + PLOT_WIDTH, y, y);
            text(LEFT - 6, y + 4, "end", number(max * i / ticks));
        }
        append(
                "<text transform=\"translate(16 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>%n",
                top + height / 2, unit);
    }

    private void text(int x, int y, String anchor, String text) {
        append("<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>%n", x, y, anchor, text);
    }

    private double x(double millis) {
        return LEFT + PLOT_WIDTH * millis / SECOND_MILLIS / seconds;
    }

    private static double seconds(Recorded run) {
        return run.events().getLast().millis() / SECOND_MILLIS;
    }

    private static double max(Stream<Double> values) {
        return values.max(Double::compare).orElse(1.0);
    }

    /** Returns the end of an axis whose ticks have short numbers. */
    private static double axis(double max, int ticks) {
        double power = Math.pow(10, Math.floor(Math.log10(max / ticks)));
        double step = max / ticks / power;
        double rounded = step <= 1 ? 1 : step <= 2 ? 2 : step <= 5 ? 5 : 10;
        return rounded * power * ticks;
    }

    private static String number(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }

    private void append(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format.replace("%n", "\n"), values));
    }
}
