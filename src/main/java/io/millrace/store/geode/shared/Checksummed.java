package io.millrace.store.geode.shared;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Values with a checksum at their end, because the files of Geode have none: a bit that flips on the disk would become
 * another position, term or count. Of a text, it is a space, {@code crc=} and eight hexadecimal digits; of bytes, the
 * four bytes of the number, highest first.
 */
final class Checksummed {

    private static final String MARK = " crc=";
    private static final int TEXT_LENGTH = MARK.length() + 2 * Integer.BYTES;

    private Checksummed() {}

    /** Returns a value with its checksum. */
    @SuppressWarnings("unchecked") // of the same type as the value
    static <V> V of(V value) {
        return value instanceof byte[] bytes ? (V) of(bytes) : (V) of((String) value);
    }

    private static byte[] of(byte[] value) {
        byte[] result = Arrays.copyOf(value, value.length + Integer.BYTES);
        int crc = crc(value, value.length);
        for (int i = 0; i < Integer.BYTES; i++) {
            result[value.length + i] = (byte) (crc >>> (Byte.SIZE * (Integer.BYTES - 1 - i)));
        }
        return result;
    }

    private static String of(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return value + MARK + HexFormat.of().toHexDigits(crc(bytes, bytes.length));
    }

    /** Returns the value without its checksum, or null if that is another one. */
    @SuppressWarnings("unchecked") // of the same type as the stored value
    static <V> @Nullable V open(V stored) {
        return stored instanceof byte[] bytes ? (V) open(bytes) : (V) open((String) stored);
    }

    private static byte @Nullable [] open(byte[] stored) {
        byte[] value = Arrays.copyOf(stored, Math.max(0, stored.length - Integer.BYTES));
        return Arrays.equals(of(value), stored) ? value : null;
    }

    private static @Nullable String open(String stored) {
        String value = stored.substring(0, Math.max(0, stored.length() - TEXT_LENGTH));
        return of(value).equals(stored) ? value : null;
    }

    private static int crc(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
