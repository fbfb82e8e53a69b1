package io.millrace;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The properties that {@code docs/reference/configuration.md} describes, by their full names. */
final class ConfigurationPage {

    private static final Path PAGE = Path.of("docs/reference/configuration.md");
    private static final Pattern COLUMN = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern LINK = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");
    private static final String PIPELINE = "millrace.pipelines.NAME";

    /** What the names in a section begin with; a section without an entry continues the one before. */
    private static final Map<String, String> PREFIXES = Map.of(
            "Tables", "millrace.tables.NAME",
            "Regions", "millrace.regions.NAME",
            "Outputs", "millrace.outputs.NAME",
            "Pipelines", PIPELINE,
            "Steps", PIPELINE + ".steps[i]",
            "Measures", PIPELINE + ".steps[i].measure",
            "Map", "millrace.page.map",
            "Security", "millrace.security",
            "Cluster", "millrace.geode");

    private ConfigurationPage() {}

    /**
     * A row of the page.
     *
     * @param whole whether the row describes all properties below this one
     */
    record Row(String defaultValue, String description, boolean whole) {}

    static Map<String, Row> read() throws IOException {
        Map<String, Row> rows = new LinkedHashMap<>();
        String prefix = "";
        for (String line : Files.readAllLines(PAGE)) {
            if (line.startsWith("#")) {
                prefix = PREFIXES.getOrDefault(line.replace("#", "").strip(), prefix);
            } else if (line.startsWith("| `.") || line.startsWith("| `millrace.")) {
                add(line, prefix, rows);
            }
        }
        return rows;
    }

    private static void add(String line, String prefix, Map<String, Row> rows) {
        String[] cells = COLUMN.split(line.substring(1), -1);
        List<String> names = List.of(plain(cells[0]).split(", ", -1));
        List<String> defaults = List.of(plain(cells[1]).split(", ", -1));
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i).startsWith(".") ? prefix + names.get(i) : names.get(i);
            String value = defaults.size() == names.size() ? defaults.get(i) : plain(cells[1]);
            boolean whole = name.endsWith(".*");
            rows.put(path(name), new Row(value, plain(cells[3]), whole));
        }
    }

    /** Returns a name with the same index in all lists, and without what stands for the key of a map of texts. */
    private static String path(String name) {
        return name.replaceAll("\\[\\w]", "[i]")
                .replaceAll("(\\[i])?\\.\\*$", "")
                .replaceAll("\\.FIELD$", "");
    }

    private static String plain(String cell) {
        return LINK.matcher(cell.strip()).replaceAll("$1").replace("`", "").replace("\\|", "|");
    }
}
