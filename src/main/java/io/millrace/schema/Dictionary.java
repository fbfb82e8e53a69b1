package io.millrace.schema;

import java.io.Serializable;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Maps small codes to names. A dictionary that {@linkplain #keeping keeps} unknown codes has a text for each code up to
 * a limit: codes without a name are shown as {@code #7}. Immutable. Finding the text of a code returns a shared string,
 * and allocates at its first use only.
 */
@API(status = API.Status.STABLE)
public final class Dictionary implements Serializable {

    private static final long serialVersionUID = 1;

    /** Largest code. The names are stored in an array by code, so that finding a name is one array read. */
    public static final int MAX_CODE = 0xFFFF;

    private static final int REJECT = -1;

    private final @Nullable String[] names;
    private final Map<String, Integer> codes;

    /** Largest code that is kept without a name, or {@link #REJECT}. */
    private final int lastKept;

    /** Texts of codes without a name by code; each is created when it is used. */
    private final @Nullable String[] texts;

    /** @param namesByCode names by code, from 0 to {@link #MAX_CODE}; names must be unique */
    public Dictionary(SortedMap<Integer, String> namesByCode) {
        this(namesByCode, REJECT);
    }

    private Dictionary(SortedMap<Integer, String> namesByCode, int lastKept) {
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
        this.lastKept = lastKept;
        texts = new @Nullable String[lastKept + 1];
    }

    /**
     * Returns a dictionary with the same names that also keeps codes without a name, as texts such as {@code #7}.
     *
     * @param last largest code that is kept, from that of the last name to {@link #MAX_CODE}
     */
    public Dictionary keeping(int last) {
        if (last < names.length - 1 || last > MAX_CODE) {
            throw new IllegalArgumentException(
                    "Invalid code '" + last + "'. Use " + (names.length - 1) + " to " + MAX_CODE + ".");
        }
        return new Dictionary(namesByCode(), last);
    }

    /** Returns whether codes without a name are values too. */
    public boolean keepsUnknown() {
        return lastKept != REJECT;
    }

    /** Returns whether a text is that of a code without a name. */
    @API(status = API.Status.INTERNAL)
    public static boolean isTextOfCode(String text) {
        return codeOf(text) >= 0;
    }

    /** Returns the code of a text such as {@code #7}, or -1. */
    private static int codeOf(String text) {
        int length = text.length();
        if (length < 2 || length > 6 || text.charAt(0) != '#' || (text.charAt(1) == '0' && length > 2)) {
            return -1;
        }
        int code = 0;
        for (int i = 1; i < length; i++) {
            char digit = text.charAt(i);
            if (digit < '0' || digit > '9') {
                return -1;
            }
            code = 10 * code + digit - '0';
        }
        return code <= MAX_CODE ? code : -1;
    }

    private Object writeReplace() {
        return new Written(new TreeMap<>(namesByCode()), lastKept);
    }

    private record Written(TreeMap<Integer, String> namesByCode, int lastKept) implements Serializable {
        private Object readResolve() {
            return new Dictionary(namesByCode, lastKept);
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

    /** Returns the name of a code, or the text of one that is kept; null if the code has none. */
    public @Nullable String name(long code) {
        String name = code >= 0 && code < names.length ? names[(int) code] : null;
        return name == null && code >= 0 && code <= lastKept ? text((int) code) : name;
    }

    private String text(int code) {
        String text = texts[code];
        if (text == null) {
            text = "#" + code;
            texts[code] = text; // A race creates an equal text.
        }
        return text;
    }

    /** Returns the code of a name or of a text that is kept, or -1 if the dictionary contains neither. */
    public int code(String name) {
        Integer code = codes.get(name);
        if (code != null) {
            return code;
        }
        int unnamed = lastKept == REJECT ? -1 : codeOf(name);
        boolean kept = unnamed >= 0 && unnamed <= lastKept && (unnamed >= names.length || names[unnamed] == null);
        return kept ? unnamed : -1;
    }

    /** Returns the largest code that a storage holds. */
    @API(status = API.Status.INTERNAL)
    public static int maxCode(IntStorage storage) {
        return storage.largest().min(BigInteger.valueOf(MAX_CODE)).intValue();
    }

    /** Returns the largest code that has a name or is kept. */
    public int lastCode() {
        return Math.max(names.length - 1, lastKept);
    }

    /** Returns whether every code from 0 to {@link #lastCode()} has a name or is kept. */
    public boolean dense() {
        return keepsUnknown() || codes.size() == names.length;
    }

    /** Returns all names, and the texts of all codes that are kept without one, by ascending code. */
    public SortedMap<Integer, String> valuesByCode() {
        SortedMap<Integer, String> byCode = namesByCode();
        for (int code = 0; code <= lastKept; code++) {
            byCode.putIfAbsent(code, text(code));
        }
        return byCode;
    }

    /** Returns all names by ascending code. */
    public SortedMap<Integer, String> namesByCode() {
        SortedMap<Integer, String> byCode = new TreeMap<>();
        codes.forEach((name, code) -> byCode.put(code, name));
        return byCode;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Dictionary that && lastKept == that.lastKept && Arrays.equals(names, that.names);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(names) + lastKept;
    }

    @Override
    public String toString() {
        return namesByCode().toString();
    }
}
