package io.millrace.documentation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A page of the documentation.
 *
 * @param name of its file
 * @param text of it
 */
record Page(String name, String text) {

    private static final Pattern YAML = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern XML = Pattern.compile("```xml\n(.*?)```", Pattern.DOTALL);
    private static final Pattern FILE =
            Pattern.compile("<!-- file: ([\\w./-]+) -->\n```\\w+\n(.*?)```", Pattern.DOTALL);
    private static final Pattern TABLE = Pattern.compile("<!-- table: ([\\w-]+) -->");
    private static final Pattern COLUMN = Pattern.compile("(?<!\\\\)\\|");

    static Page read(Path file) {
        try {
            return new Page(file.toString(), Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its blocks of YAML. */
    List<String> yaml() {
        return YAML.matcher(text).results().map(match -> match.group(1)).toList();
    }

    /** Its blocks of Java. */
    List<String> java() {
        return JAVA.matcher(text).results().map(match -> match.group(1)).toList();
    }

    /** Its blocks of XML. */
    List<String> xml() {
        return XML.matcher(text).results().map(match -> match.group(1)).toList();
    }

    /** Its complete files by path: the blocks behind markers such as {@code <!-- file: payments.csv -->}. */
    Map<String, String> files() {
        return FILE.matcher(text).results().collect(Collectors.toMap(file -> file.group(1), file -> file.group(2)));
    }

    /** Its first block of Java, without indentation. */
    String firstJava() {
        Matcher block = JAVA.matcher(text);
        if (!block.find()) {
            throw new AssertionError(name + " has no Java");
        }
        return withoutIndentation(block.group(1));
    }

    /** The lines of a text without what they are indented by, and without blank ones. */
    static String withoutIndentation(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).collect(Collectors.joining("\n"));
    }

    /** The names of its tables behind markers. */
    List<String> tables() {
        return TABLE.matcher(text).results().map(match -> match.group(1)).toList();
    }

    /** The rows of the table behind the marker {@code <!-- table: name -->}; code marks are taken off the cells. */
    List<List<String>> table(String table) {
        String marker = "<!-- table: " + table + " -->";
        int at = text.indexOf(marker);
        if (at < 0) {
            throw new AssertionError(name + " has no " + marker);
        }
        List<List<String>> rows = new ArrayList<>();
        for (String line : text.substring(at + marker.length()).strip().split("\n", -1)) {
            if (!line.startsWith("|")) {
                break;
            }
            rows.add(Arrays.stream(COLUMN.split(line.substring(1), -1))
                    .map(cell -> cell.strip().replace("`", "").replace("\\|", "|"))
                    .toList());
        }
        return rows.subList(2, rows.size());
    }

    /** The block of plain text behind the marker {@code <!-- output: name -->}. */
    String output(String output) {
        String marker = "<!-- output: " + output + " -->\n```\n";
        int at = text.indexOf(marker);
        if (at < 0) {
            throw new AssertionError(name + " has no " + marker);
        }
        return text.substring(at + marker.length(), text.indexOf("```", at + marker.length()));
    }

    /** A text with every stretch of white space made one blank, as table cells have it. */
    static String flat(String text) {
        return text.strip().replaceAll("\\s+", " ");
    }
}
