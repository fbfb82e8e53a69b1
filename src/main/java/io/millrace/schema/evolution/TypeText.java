package io.millrace.schema.evolution;

import io.millrace.schema.Dictionary;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.SchemaFingerprint;
import java.nio.ByteOrder;
import java.nio.charset.Charset;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Parses the text of types in {@linkplain SchemaDescription descriptions}. Stateless. */
final class TypeText {

    private static final String BIG = ByteOrder.BIG_ENDIAN.toString();
    private static final String LITTLE = ByteOrder.LITTLE_ENDIAN.toString();

    private TypeText() {}

    /**
     * Returns the type of a text of {@link SchemaFingerprint#meaning}. The text of an enum has no names: {@code enum
     * u8}.
     *
     * @param names names by code of an enum; not used for other types
     * @throws IllegalArgumentException if the text is not that of a type
     */
    static FieldType parse(String text, @Nullable SortedMap<Integer, String> names) {
        String[] words = text.split(" ", -1);
        return switch (words[0]) {
            case "integer" -> new FieldType.IntegerType(storage(text, words, 2));
            case "decimal" -> decimal(text, words);
            case "days" -> new FieldType.DateType(storage(text, words, 2));
            case "instant" -> new FieldType.InstantType(storage(text, words, 3), TimeUnit.valueOf(words[2]));
            case "enum" -> coded(text, words, names);
            case "boolean" -> new FieldType.BooleanType(storage(text, words, 2));
            case "float" -> floating(text, words);
            case "string" -> string(text, words);
            case "bytes" -> new FieldType.BytesType(length(text, words, 2));
            case "ip" -> new FieldType.IpType(length(text, words, 2));
            default -> throw unknown(text);
        };
    }

    private static FieldType decimal(String text, String[] words) {
        IntStorage storage = storage(text, words, 4);
        return new FieldType.DecimalType(storage, Integer.parseInt(words[3]));
    }

    private static FieldType coded(String text, String[] words, @Nullable SortedMap<Integer, String> names) {
        if (names == null) {
            throw new IllegalArgumentException("Missing values of type '" + text + "'.");
        }
        IntStorage storage = storage(text, words, 2);
        Dictionary dictionary = new Dictionary(names);
        // What is stored was valid when it was written, also codes without a name, if the schema kept them.
        int last = Dictionary.maxCode(storage);
        return new FieldType.EnumType(storage, last < dictionary.lastCode() ? dictionary : dictionary.keeping(last));
    }

    private static FieldType floating(String text, String[] words) {
        int bytes = length(text, words, 3);
        if (!words[2].equals(BIG) && !words[2].equals(LITTLE)) {
            throw unknown(text);
        }
        return new FieldType.FloatType(bytes, words[2].equals(LITTLE) ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    }

    private static FieldType string(String text, String[] words) {
        return new FieldType.StringType(length(text, words, 4), Charset.forName(words[2]), Byte.parseByte(words[3]));
    }

    private static int length(String text, String[] words, int count) {
        requireWords(text, words, count);
        return Integer.parseInt(words[1]);
    }

    private static IntStorage storage(String text, String[] words, int count) {
        requireWords(text, words, count);
        return IntStorage.parse(words[1]);
    }

    private static void requireWords(String text, String[] words, int count) {
        if (words.length != count) {
            throw unknown(text);
        }
    }

    private static IllegalArgumentException unknown(String text) {
        return new IllegalArgumentException("Unknown type '" + text + "'.");
    }
}
