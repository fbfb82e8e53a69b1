package io.millrace.schema.yaml;

import static io.millrace.schema.ProblemCode.DUPLICATE_NAME;
import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.UNKNOWN_ATTRIBUTE;
import static io.millrace.schema.ProblemCode.WRONG_STRUCTURE;

import io.millrace.schema.NearestName;
import io.millrace.schema.NumberText;
import io.millrace.schema.ProblemCode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * The entries of a YAML mapping, read as values of expected types. An entry of another type is reported as a problem
 * and treated as missing. Merge keys ({@code <<: *anchor}) add entries that the mapping itself does not have.
 */
final class YamlMap {

    /** Longer numbers fit no field, and are slow to compute with. */
    private static final int MAX_DIGITS = 400;

    private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9A-Fa-f]+");
    private static final int MAX_MERGES = 10;

    private final Node node;
    private final Problems problems;
    private final @Nullable String field;
    private final Map<String, Node> values = new LinkedHashMap<>();
    private final Map<String, Node> keys = new LinkedHashMap<>();

    YamlMap(Node node, Problems problems, @Nullable String field) {
        this.node = node;
        this.problems = problems;
        this.field = field;
        take(node, 0);
    }

    private YamlMap(YamlMap other, @Nullable String field) {
        this.node = other.node;
        this.problems = other.problems;
        this.field = field;
        values.putAll(other.values);
        keys.putAll(other.keys);
    }

    private void take(Node from, int depth) {
        if (!(from instanceof MappingNode mapping) || depth > MAX_MERGES) {
            problems.add(
                    from,
                    field,
                    WRONG_STRUCTURE,
                    "Invalid value. Use a mapping of names to values, such as { name: id, type: i64 }.");
            return;
        }
        Map<String, Node> direct = new LinkedHashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            if (entry.getKeyNode().getTag().equals(Tag.MERGE)) {
                continue;
            }
            String key = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
            if (direct.putIfAbsent(key, entry.getValueNode()) != null) {
                problems.add(
                        entry.getKeyNode(), field, DUPLICATE_NAME, "Duplicate attribute '" + key + "'. Remove one.");
            }
            keys.putIfAbsent(key, entry.getKeyNode());
        }
        direct.forEach(values::putIfAbsent);
        for (NodeTuple entry : mapping.getValue()) {
            if (entry.getKeyNode().getTag().equals(Tag.MERGE)) {
                List<Node> merged = entry.getValueNode() instanceof SequenceNode many
                        ? many.getValue()
                        : List.of(entry.getValueNode());
                merged.forEach(one -> take(one, depth + 1));
            }
        }
    }

    /** Returns the same entries, with another field name for problems. */
    YamlMap of(@Nullable String namedField) {
        return new YamlMap(this, namedField);
    }

    Set<String> keys() {
        return values.keySet();
    }

    boolean has(String key) {
        return values.containsKey(key);
    }

    /** Returns the location of the mapping for problems. */
    Node place() {
        return node;
    }

    /** Returns the location of a key for problems. */
    Node keyNode(String key) {
        return keys.getOrDefault(key, node);
    }

    @Nullable
    Node node(String key) {
        return values.get(key);
    }

    Node required(String key) {
        return Objects.requireNonNull(values.get(key));
    }

    void problem(String key, ProblemCode code, String reason) {
        problems.add(values.getOrDefault(key, node), field, code, reason);
    }

    void problemAt(Node where, ProblemCode code, String reason) {
        problems.add(where, field, code, reason);
    }

    @Nullable
    String text(String key) {
        Node value = values.get(key);
        if (value == null) {
            return null;
        }
        if (value instanceof ScalarNode scalar && !scalar.getTag().equals(Tag.NULL)) {
            return scalar.getValue();
        }
        problem(key, WRONG_STRUCTURE, "Invalid value for '" + key + "'. Write a single value.");
        return null;
    }

    /** Returns one of several words, or the first if the key is missing. */
    String oneOf(String key, List<String> words) {
        String text = text(key);
        if (text == null) {
            return words.getFirst();
        }
        if (!words.contains(text)) {
            problem(
                    key,
                    INVALID_VALUE,
                    "Invalid " + key + " '" + text + "'" + NearestName.hint(text, words) + " Use one of: "
                            + String.join(", ", words) + ".");
            return words.getFirst();
        }
        return text;
    }

    boolean flag(String key) {
        String text = text(key);
        boolean set = text != null && text.toLowerCase(Locale.ROOT).equals("true");
        if (text != null && !set && !text.toLowerCase(Locale.ROOT).equals("false")) {
            problem(key, INVALID_VALUE, "Invalid value '" + text + "' for '" + key + "'. Use true or false.");
        }
        return set;
    }

    /** Returns an integer in a range, or null if it is missing or invalid. */
    @Nullable
    Integer whole(String key, int min, int max) {
        BigInteger number = whole(key);
        if (number == null) {
            return null;
        }
        if (number.compareTo(BigInteger.valueOf(min)) < 0 || number.compareTo(BigInteger.valueOf(max)) > 0) {
            problem(key, INVALID_NUMBER, "Invalid " + key + " '" + number + "'. Use " + min + " to " + max + ".");
            return null;
        }
        return number.intValue();
    }

    /** Returns an integer of any size, decimal or hexadecimal, or null if it is missing or invalid. */
    @Nullable
    BigInteger whole(String key) {
        String text = text(key);
        BigInteger number = text == null ? null : wholeNumber(text);
        if (text != null && number == null) {
            problem(key, INVALID_NUMBER, "Invalid " + key + " '" + text + "'. Use a whole number.");
        }
        return number;
    }

    static @Nullable BigInteger wholeNumber(String text) {
        if (text.length() > MAX_DIGITS) {
            return null;
        }
        if (HEXADECIMAL.matcher(text).matches()) {
            return new BigInteger(text.substring(2), 16);
        }
        return NumberText.isWhole(text) ? new BigInteger(text) : null;
    }

    @Nullable
    BigDecimal decimal(String key) {
        String text = text(key);
        if (text == null) {
            return null;
        }
        try {
            BigDecimal number = new BigDecimal(NumberText.isNumber(text) ? text : "");
            if (text.length() <= MAX_DIGITS && Math.abs((long) number.scale()) <= MAX_DIGITS) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below, with the same message as a number that is too long.
        }
        problem(key, INVALID_NUMBER, "Invalid " + key + " '" + text + "'. Use a number.");
        return null;
    }

    /** Returns the elements of a list, or an empty list if it is missing or invalid. */
    List<Node> list(String key) {
        Node value = values.get(key);
        if (value instanceof SequenceNode sequence) {
            return sequence.getValue();
        }
        if (value != null) {
            problem(
                    key,
                    WRONG_STRUCTURE,
                    "Invalid value for '" + key + "'. Use a list: write '- ' before each element.");
        }
        return List.of();
    }

    /** Reports the attributes of a field that are not allowed. */
    void refuseUnknown(Set<String> allowed, String owner) {
        refuseUnknown(allowed, problems.fieldAttributes(), owner);
    }

    /**
     * Reports keys that are not allowed.
     *
     * @param known keys that are allowed elsewhere
     * @param owner type or element for which the keys are not allowed
     */
    void refuseUnknown(Set<String> allowed, Set<String> known, String owner) {
        for (String key : keys()) {
            if (!allowed.contains(key)) {
                problemAt(
                        keyNode(key),
                        UNKNOWN_ATTRIBUTE,
                        known.contains(key)
                                ? "Invalid attribute '" + key + "' for " + owner + ". Remove it."
                                : "Unknown attribute '" + key + "'" + NearestName.hint(key, allowed) + " Use one of: "
                                        + String.join(", ", new TreeSet<>(allowed)) + ".");
            }
        }
    }
}
