package io.millrace.schema;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The names that small codes stand for. Immutable; looking up a code returns a shared string and allocates nothing. */
public final class Dictionary implements Serializable {

    private static final long serialVersionUID = 1;

    /** Codes are kept in a table up to this one, so that a look-up by code is one array read. */
    public static final int MAX_CODE = 0xFFFF;

    private final @Nullable String[] names;
    private final Map<String, Integer> codes;

    /** @param namesByCode each code from 0 to {@link #MAX_CODE} with its name; names must differ */
    public Dictionary(SortedMap<Integer, String> namesByCode) {
        if (namesByCode.isEmpty()) {
            throw new IllegalArgumentException("a dictionary needs at least one value");
        }
        if (namesByCode.firstKey() < 0 || namesByCode.lastKey() > MAX_CODE) {
            throw new IllegalArgumentException("codes lie between 0 and " + MAX_CODE);
        }
        names = new @Nullable String[namesByCode.lastKey() + 1];
        codes = new HashMap<>();
        namesByCode.forEach((code, name) -> {
            names[code] = name;
            if (codes.put(name, code) != null) {
                throw new IllegalArgumentException("value '" + name + "' stands twice");
            }
        });
    }

    private Object writeReplace() {
        return new Written(new TreeMap<>(namesByCode()));
    }

    private record Written(TreeMap<Integer, String> namesByCode) implements Serializable {
        private Object readResolve() {
            return new Dictionary(namesByCode);
        }
    }

    /** A dictionary whose codes are the positions of the names. */
    public static Dictionary of(String... names) {
        SortedMap<Integer, String> byCode = new TreeMap<>();
        for (int code = 0; code < names.length; code++) {
            byCode.put(code, names[code]);
        }
        return new Dictionary(byCode);
    }

    /** The name of a code, or null where the code stands for nothing. */
    public @Nullable String name(long code) {
        return code >= 0 && code < names.length ? names[(int) code] : null;
    }

    /** The code of a name, or -1 where the dictionary does not hold it. */
    public int code(String name) {
        return codes.getOrDefault(name, -1);
    }

    /** The largest code that stands for a name. */
    public int lastCode() {
        return names.length - 1;
    }

    /** Whether every code from 0 to {@link #lastCode()} stands for a name. */
    public boolean dense() {
        return codes.size() == names.length;
    }

    /** All names with their codes, by ascending code. */
    public SortedMap<Integer, String> namesByCode() {
        SortedMap<Integer, String> byCode = new TreeMap<>();
        codes.forEach((name, code) -> byCode.put(code, name));
        return byCode;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Dictionary that && Arrays.equals(names, that.names);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(names);
    }

    @Override
    public String toString() {
        return namesByCode().toString();
    }
}
