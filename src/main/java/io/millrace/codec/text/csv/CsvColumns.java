package io.millrace.codec.text.csv;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.CompactPart;
import io.millrace.schema.Field;
import io.millrace.schema.RepeatedGroup;
import io.millrace.schema.Schema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The columns that CSV has for a schema: the single values of the record and of its groups that do not repeat, in the
 * order of the schema.
 */
final class CsvColumns {

    private CsvColumns() {}

    /**
     * A column.
     *
     * @param presences offsets in the row of the bytes that are 1 if the groups that contain the field are there
     */
    record Column(FieldCodec codec, List<Integer> presences) {

        void markPresent(byte[] row) {
            presences.forEach(at -> row[at] = 1);
        }

        /** Returns whether the groups that contain the field are there. */
        boolean isPresent(byte[] row) {
            return presences.isEmpty() || row[presences.getLast()] != 0;
        }
    }

    static List<Column> of(RecordCodec codec) {
        Map<String, String> parts = codec.schema().layout().presences();
        List<Column> columns = new ArrayList<>();
        for (FieldCodec field : codec.codecs()) {
            String name = field.field().name();
            if (!parts.containsValue(name)) {
                columns.add(new Column(field, presences(name, parts, codec.schema())));
            }
        }
        return columns;
    }

    private static List<Integer> presences(String field, Map<String, String> parts, Schema schema) {
        Map<String, Integer> offsets = new LinkedHashMap<>();
        for (int dot = field.indexOf('.'); dot >= 0; dot = field.indexOf('.', dot + 1)) {
            String presence = parts.getOrDefault(field.substring(0, dot), "");
            if (!presence.isEmpty()) {
                Field flag = Objects.requireNonNull(schema.field(presence), presence);
                offsets.putIfAbsent(presence, flag.offset());
            }
        }
        return List.copyOf(offsets.values());
    }

    /** Returns the groups that can be missing, each with the offset in the row of the byte that is 1 if it is there. */
    static Map<String, Integer> optionalGroups(Schema schema) {
        Map<String, Integer> groups = new TreeMap<>();
        schema.layout().presences().forEach((path, presence) -> {
            Field flag = presence.equals(CompactPart.presence(path)) ? schema.field(presence) : null;
            if (flag != null) {
                groups.put(path, flag.offset());
            }
        });
        return groups;
    }

    /** Returns whether a name is that of a list, or of a field in one, which can't be a column. */
    static boolean isOfList(String name, Schema schema) {
        for (RepeatedGroup list : schema.groups()) {
            String listName = list.path().replace("[]", "");
            String plain = name.replace("[]", "");
            if (plain.equalsIgnoreCase(listName)
                    || plain.regionMatches(true, 0, listName + ".", 0, listName.length() + 1)) {
                return true;
            }
        }
        return false;
    }
}
