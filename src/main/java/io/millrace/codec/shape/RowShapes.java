package io.millrace.codec.shape;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shape.Scope;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Builds the shape of rows, whose fields have paths such as {@code party.name} and {@code legs[1].amount}. The elements
 * of a group are at equal distances in the row.
 */
public final class RowShapes {

    private static final String PRESENCE = "?";

    private final Map<String, FieldCodec> found = new HashMap<>();
    private final Function<String, FieldCodec> codecs;

    private RowShapes(Function<String, FieldCodec> codecs) {
        this.codecs = codecs;
    }

    /**
     * Returns the shape of rows.
     *
     * @param names names of the fields; codecs are requested only of those that getters read
     */
    public static Shape of(Collection<String> names, Function<String, FieldCodec> codecs) {
        Shape shape = new Shape("", new Scope());
        new RowShapes(codecs).fill(shape, "", List.copyOf(names));
        return shape;
    }

    private FieldCodec codec(String path) {
        FieldCodec known = found.get(path);
        if (known == null) {
            known = codecs.apply(path);
            found.put(path, known);
        }
        return known;
    }

    /** @param prefix precedes the names in paths */
    private void fill(Shape shape, String prefix, List<String> names) {
        Map<String, List<String>> nested = new LinkedHashMap<>();
        Map<String, TreeMap<Integer, List<String>>> repeated = new LinkedHashMap<>();
        for (String name : names) {
            int end = end(name);
            String first = name.substring(0, end);
            if (end == name.length()) {
                shape.add(new ValueMember(first, prefix + name, () -> codec(prefix + name), 0, null));
            } else if (name.charAt(end) == '.') {
                nested.computeIfAbsent(first, _ -> new ArrayList<>()).add(name.substring(end + 1));
            } else {
                int close = name.indexOf(']');
                if (close > end + 1) {
                    int index = Integer.parseInt(name.substring(end + 1, close));
                    repeated.computeIfAbsent(first, _ -> new TreeMap<>())
                            .computeIfAbsent(index, _ -> new ArrayList<>())
                            .add(name.substring(close + 1));
                }
            }
        }
        nested.forEach((name, inner) -> {
            Shape group = new Shape(prefix + name, shape.scope);
            fill(group, prefix + name + ".", inner);
            Supplier<FieldCodec> presence =
                    names.contains(name + PRESENCE) ? () -> codec(prefix + name + PRESENCE) : null;
            shape.add(new GroupMember(name, group, presence, 0));
        });
        repeated.forEach((name, elements) -> shape.add(list(prefix + name, name, elements)));
    }

    private static int end(String name) {
        int end = 0;
        while (end < name.length() && name.charAt(end) != '.' && name.charAt(end) != '[') {
            end++;
        }
        return end;
    }

    private Member list(String path, String name, NavigableMap<Integer, List<String>> elements) {
        List<String> inner = elements.firstEntry().getValue();
        boolean bare = inner.equals(List.of(""));
        List<FieldCodec> first = elementCodecs(path, elements.firstKey(), inner);
        int start =
                first.stream().mapToInt(codec -> codec.field().offset()).min().orElseThrow();
        int end = first.stream().mapToInt(codec -> codec.field().end()).max().orElseThrow();
        int stride = end - start;
        if (elements.size() > 1) {
            int second = elements.higherKey(elements.firstKey());
            stride = elementCodecs(path, second, inner).getFirst().field().offset()
                    - first.getFirst().field().offset();
        }
        for (Map.Entry<Integer, List<String>> element : elements.entrySet()) {
            List<FieldCodec> each = elementCodecs(path, element.getKey(), element.getValue());
            for (int i = 0; i < first.size(); i++) {
                int expected = first.get(i).field().offset() + element.getKey() * stride;
                if (each.get(i).field().offset() != expected) {
                    throw new IllegalArgumentException("The elements of '" + path
                            + "' are not at equal distances, so no getter can return them as a list.");
                }
            }
        }
        Scope scope = new Scope();
        scope.rowLength = end - start;
        List<Field> fields = first.stream()
                .map(codec -> codec.field().at(codec.field().offset() - start))
                .toList();
        RecordCodec relative = RecordCodec.of(new Schema("element", end - start, fields, List.of()));
        scope.codecs.addAll(relative.codecs());
        Shape shape = new Shape(path + "[]", scope);
        String prefix = path + "[" + elements.firstKey() + "]";
        if (bare) {
            shape.add(new ValueMember(name, path + "[]", () -> relative.codec(prefix), 0, null));
        } else {
            List<String> names = inner.stream().map(each -> each.substring(1)).toList();
            new RowShapes(relative::codec).fill(shape, prefix + ".", names);
        }
        return new ListMember(name, path + "[]", shape, bare, -1, -1, 0, start, stride, elements.size());
    }

    private List<FieldCodec> elementCodecs(String path, int index, List<String> inner) {
        return inner.stream()
                .map(each -> codec(path + "[" + index + "]" + each))
                .toList();
    }
}
