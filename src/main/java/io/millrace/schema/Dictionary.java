package io.millrace.schema;

import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/** Maps small codes to names. Immutable. Finding the name of a code returns a shared string and allocates nothing. */
@API(status = API.Status.STABLE)
public final class Dictionary implements Serializable {

    private static final long serialVersionUID = 1;

    /** Largest code. The names are stored in an array by code, so that finding a name is one array read. */
    public static final int MAX_CODE = 0xFFFF;

    private final @Nullable String[] names;
    private final Map<String, Integer> codes;

    /** @param namesByCode names by code, from 0 to {@link #MAX_CODE}; names must be unique */
    public Dictionary(SortedMap<Integer, String> namesByCode) {
        if (namesByCode.isEmpty()) {
            throw new IllegalArgumentException("Empty dictionary. Use at least one value.");
        }
        if (namesByCode.firstKey() < 0 || namesByCode.lastKey() > MAX_CODE) {
            throw new IllegalArgumentException("Invalid code of a dictionary. Use 0 to " + MAX_CODE + ".");
        }
        names = new @Nullable String[namesByCode.lastKey() + 1];
        codes = new HashMap<>();
        namesByCode.forEach((code, name) -> {
            names[code] = name;
            if (codes.put(name, code) != null) {
                throw new IllegalArgumentException("Duplicate value '" + name + "'.");
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

    /** Returns a dictionary whose codes are the indexes of the names. */
    public static Dictionary of(String... names) {
        SortedMap<Integer, String> byCode = new TreeMap<>();
        for (int code = 0; code < names.length; code++) {
            byCode.put(code, names[code]);
        }
        return new Dictionary(byCode);
    }

    /** Returns the name of a code, or null if the code has none. */
    public @Nullable String name(long code) {
        return code >= 0 && code < names.length ? names[(int) code] : null;
    }

    /** Returns the code of a name, or -1 if the dictionary does not contain it. */
    public int code(String name) {
        return codes.getOrDefault(name, -1);
    }

    /** Returns the largest code that has a name. */
    public int lastCode() {
        return names.length - 1;
    }

    /** Returns whether every code from 0 to {@link #lastCode()} has a name. */
    public boolean dense() {
        return codes.size() == names.length;
    }

    /** Returns all names by ascending code. */
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
