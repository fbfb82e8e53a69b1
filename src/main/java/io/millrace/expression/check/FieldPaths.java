package io.millrace.expression.check;

import io.millrace.expression.error.ErrorCode;
import io.millrace.expression.error.ExpressionException;
import io.millrace.expression.error.Place;
import io.millrace.schema.CompactPart;
import io.millrace.schema.FieldType;
import io.millrace.schema.NearestName;
import io.millrace.schema.Schema;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.IntLiteral;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.SpelNodeImpl;

/** Field paths such as {@code legs[1].amount}, read from the nodes of the parser. */
public final class FieldPaths {

    private FieldPaths() {}

    /**
     * Returns the number of leading parts that are the path of a field: the longest path that exists, or all possible
     * parts if none exists; 0 if the first part is not a name.
     */
    static int length(List<SpelNode> parts, Schema schema) {
        int length = 0;
        while (length < parts.size() && isPathPart(parts.get(length), length)) {
            length++;
        }
        for (int shorter = length; shorter > 0; shorter--) {
            String path = text(parts.subList(0, shorter));
            if (schema.field(path) != null || schema.virtualField(path) != null) {
                return shorter;
            }
            if (parts.get(shorter - 1) instanceof Indexer) {
                // An index belongs to the name before it, whether or not the element exists.
                return length;
            }
        }
        return length;
    }

    private static boolean isPathPart(SpelNode part, int before) {
        return part instanceof PropertyOrFieldReference || (part instanceof Indexer && before > 0);
    }

    private static String text(List<SpelNode> parts) {
        StringBuilder path = new StringBuilder();
        for (SpelNode part : parts) {
            switch (part) {
                case PropertyOrFieldReference reference ->
                    path.append(path.isEmpty() ? "" : ".").append(reference.getName());
                default ->
                    path.append('[').append(part.getChild(0).toStringAST()).append(']');
            }
        }
        return path.toString();
    }

    /** Returns the path of names and indexes; refuses parts that a path must not have. */
    static String path(List<SpelNode> parts, Place place) {
        StringBuilder path = new StringBuilder();
        for (SpelNode part : parts) {
            switch (part) {
                case PropertyOrFieldReference reference ->
                    path.append(path.isEmpty() ? "" : ".").append(name(reference, place));
                case Indexer indexer -> path.append(index(indexer, place));
                default -> throw new IllegalArgumentException("no part of a path: " + part.toStringAST());
            }
        }
        return path.toString();
    }

    private static String name(PropertyOrFieldReference reference, Place place) {
        if (reference.isNullSafe()) {
            throw place.error(
                    ErrorCode.NOT_ALLOWED,
                    "'?.' is not needed: a field inside a group is absent by itself",
                    "write '.' instead");
        }
        return reference.getName();
    }

    private static String index(Indexer indexer, Place place) {
        if (indexer.getChild(0) instanceof IntLiteral literal && !((SpelNodeImpl) indexer).isNullSafe()) {
            return "[" + WholeLiterals.text(literal, place) + "]";
        }
        throw new Place(place.expression(), indexer.getStartPosition())
                .error(
                        ErrorCode.NOT_ALLOWED,
                        "an index must be a whole number written down",
                        "elements lie at fixed places: write for example legs[1].amount");
    }

    /** Returns whether a name is that of a group or a repeating part, which no field can have. */
    public static boolean isGroup(String name, Schema schema) {
        return isRepeating(name, schema) || new GroupNames(schema).isGroup(name);
    }

    private static boolean isRepeating(String name, Schema schema) {
        return schema.groups().stream().anyMatch(group -> (name + "[]").equals(group.path()));
    }

    /** Refuses a target of an assignment that is a repeating part or a group, or in an element. */
    public static void requireNoElement(String target, Schema schema, Place place) {
        boolean repeats = target.contains("[]") || isRepeating(target, schema);
        if (repeats || isGroup(target, schema)) {
            throw place.error(
                    ErrorCode.NOT_ALLOWED,
                    "'" + target + "' can't be set: it is " + (repeats ? "a part that repeats" : "a group"),
                    repeats ? "set a field of the record from it: #sum(legs.![amount])" : "set one of its fields");
        }
    }

    public static ExpressionException unknown(String path, Schema schema, Place place) {
        List<String> names = Stream.concat(schema.names().stream(), new GroupNames(schema).ofRecord())
                .filter(name -> !isInternal(name))
                .toList();
        String quoted = "quote it if it is a text: '" + path + "'";
        String hint = isInDictionary(path, schema)
                ? quoted
                : NearestName.of(path, names) == null && path.matches("\\w+")
                        ? NearestName.advice(path, names) + "; " + quoted
                        : NearestName.advice(path, names);
        return place.error(ErrorCode.UNKNOWN_FIELD, "schema " + schema.name() + " has no field '" + path + "'", hint);
    }

    /** Returns whether a name is one that no expression can contain: of a step, or of the presence of a group. */
    private static boolean isInternal(String name) {
        return name.startsWith("$") || CompactPart.isPresence(name);
    }

    private static boolean isInDictionary(String text, Schema schema) {
        return schema.fields().stream()
                .anyMatch(field -> field.type() instanceof FieldType.EnumType names
                        && names.dictionary().code(text) >= 0);
    }
}
