package io.millrace.schema.yaml;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** Describes text that is not valid YAML: the parser reports what it expected, not what to do. Stateless. */
public final class YamlErrors {

    private static final String QUOTE =
            " begins a value that YAML reads in another way. Quote the whole value: \"...\", with '...' inside for texts.";
    private static final String UNCLOSED = "Unclosed ";

    /** Parts of the parser's messages, with what is wrong and what to do; the first that fits counts. */
    private static final Map<String, String> MESSAGES = new LinkedHashMap<>();

    static {
        MESSAGES.put("(TAB)", "Unexpected tab. Use spaces for indentation, and between keys and values.");
        MESSAGES.put("duplicate key", "Duplicate key. Remove or rename it: each key may appear once in its mapping.");
        MESSAGES.put("the tag", "'!'" + QUOTE);
        MESSAGES.put("undefined alias", "'*'" + QUOTE);
        MESSAGES.put("'@'", "'@'" + QUOTE);
        MESSAGES.put("'%'", "'%'" + QUOTE);
        MESSAGES.put("'`'", "'`'" + QUOTE);
        MESSAGES.put("quoted scalar", UNCLOSED + "quote. Close it where the value ends.");
        MESSAGES.put("expected ',' or", UNCLOSED + "bracket. Close it where the list or mapping ends.");
        MESSAGES.put(
                "'<scalar>'",
                "Text after a quoted value or a bracket. Quote the whole value: \"...\", with '...' inside.");
        MESSAGES.put(
                "mapping values are not allowed",
                "Unexpected ': '. Quote a value that contains it, write a space after each colon, and indent the keys of"
                        + " one mapping equally.");
        MESSAGES.put(
                "expected ':'",
                "Line without a key. To continue a value in this line, indent it more than its key, or quote it.");
        MESSAGES.put(
                "<block end>",
                "Wrong indentation. Indent the keys of one mapping, and the elements of one list, equally.");
    }

    private YamlErrors() {}

    /** Returns what is wrong and what to do. */
    public static String describe(YAMLException error) {
        if (!(error instanceof MarkedYAMLException marked)) {
            return "Characters that YAML does not allow. Save the file as UTF-8 text.";
        }
        String technical = marked.getContext() + " " + marked.getProblem();
        return MESSAGES.entrySet().stream()
                .filter(entry -> technical.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("Invalid YAML. Check indentation, quotes and brackets before this place.");
    }

    /** Returns the place: of what is not closed where it begins, for the parser gives up far behind it. */
    public static @Nullable Mark place(YAMLException error) {
        if (!(error instanceof MarkedYAMLException marked)) {
            return null;
        }
        boolean begins = describe(error).startsWith(UNCLOSED) && marked.getContextMark() != null;
        return begins ? marked.getContextMark() : marked.getProblemMark();
    }
}
