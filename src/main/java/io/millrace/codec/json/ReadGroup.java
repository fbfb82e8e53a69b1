package io.millrace.codec.json;

import io.millrace.schema.NearestName;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Reads the members of an object. */
final class ReadGroup {

    private final String prefix;
    private final List<String> names;
    private final NameTable table;
    private final JsonConstant[] quoted;
    private final ReadNode[] nodes;

    /** Bits of the members that were read, and of those that must be. */
    private final long[] seen;

    private final long[] required;

    /**
     * @param prefix path of the group with a dot, empty for the record
     * @param members members by name, in the order in which they are expected
     */
    ReadGroup(String prefix, Map<String, ReadNode> members) {
        this.prefix = prefix;
        names = List.copyOf(members.keySet());
        table = new NameTable(names);
        quoted = names.stream().map(JsonBuffer::quoted).toArray(JsonConstant[]::new);
        nodes = members.values().toArray(ReadNode[]::new);
        seen = new long[(nodes.length + Long.SIZE - 1) / Long.SIZE];
        required = new long[seen.length];
        for (int i = 0; i < nodes.length; i++) {
            required[i / Long.SIZE] |= nodes[i].required() ? 1L << i : 0;
        }
    }

    /** Reads an object, of which {@link JsonScanner#peek} has shown the brace. */
    void read(JsonInput json, byte[] into, int at, int parent) {
        JsonScanner scanner = json.scanner();
        scanner.begin();
        Arrays.fill(seen, 0);
        int expected = 0;
        boolean first = true;
        while (scanner.member(first)) {
            first = false;
            int index = index(scanner, expected);
            if (index < 0) {
                String name = scanner.text();
                json.error("Unknown field '" + prefix + name + "'." + hint(name));
                scanner.skip();
            } else if ((seen[index / Long.SIZE] & (1L << index)) != 0) {
                json.error("Duplicate field '" + prefix + names.get(index) + "'. Write it once.");
                scanner.skip();
            } else {
                seen[index / Long.SIZE] |= 1L << index;
                nodes[index].read(json, into, at, parent);
                expected = index + 1;
            }
        }
        requireAll(json);
    }

    /** Reads a name, and returns the index of its member, or -1. */
    private int index(JsonScanner scanner, int expected) {
        if (expected < quoted.length && scanner.name(quoted[expected])) {
            return expected;
        }
        scanner.name();
        return table.index(scanner.textBytes(), scanner.textAt(), scanner.textLength());
    }

    private void requireAll(JsonInput json) {
        for (int word = 0; word < seen.length; word++) {
            long missing = required[word] & ~seen[word];
            while (missing != 0) {
                int index = word * Long.SIZE + Long.numberOfTrailingZeros(missing);
                json.error("Missing value of '" + prefix + names.get(index) + "'. The field is not optional.");
                missing &= missing - 1;
            }
        }
    }

    private String hint(String name) {
        String nearest = NearestName.of(name, names);
        return nearest == null ? "" : " Did you mean '" + nearest + "'?";
    }
}
