package io.millrace.store;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RejectReason;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * How a dead-letter region keeps a reject.
 *
 * <pre>
 *   at  bytes  field
 *    0   3     magic, "MRJ" in ASCII
 *    3   1     version, 1
 *    4   4     CRC32C of every byte from 8 to the end of the value
 *    8   8     position in the feed, or -1
 *   16   1     kind: 1 truncated, 2 invalid-value, 3 expression, 4 out-of-range, 5 no-match
 *   17   1     0
 *   18   2     length in bytes of the reason, unsigned
 *   20         the reason, UTF-8; then the record's bytes up to the end of the value
 * </pre>
 *
 * All numbers are big-endian.
 */
public final class RejectFormat {

    /** Longest reason that is kept, in characters; the rest of a longer one is cut off. */
    public static final int MAX_REASON = 1000;

    private static final int MAGIC_AND_VERSION = 'M' << 24 | 'R' << 16 | 'J' << 8 | 1;
    private static final int CRC_AT = 4;
    private static final int POSITION_AT = 8;
    private static final int KIND_AT = 16;
    private static final int REASON_LENGTH_AT = 18;
    private static final int HEADER_LENGTH = 20;

    private RejectFormat() {}

    /** A value with the bytes from {@code offset} on, {@code length} of them. */
    public static byte[] encode(long position, RejectReason reason, byte[] bytes, int offset, int length) {
        String detail = reason.detail();
        byte[] text = detail.substring(0, Math.min(detail.length(), MAX_REASON)).getBytes(StandardCharsets.UTF_8);
        byte[] value = new byte[HEADER_LENGTH + text.length + length];
        RawBytes.putInt(value, 0, MAGIC_AND_VERSION);
        RawBytes.putLong(value, POSITION_AT, position);
        value[KIND_AT] = code(reason.kind());
        RawBytes.putShort(value, REASON_LENGTH_AT, (short) text.length);
        System.arraycopy(text, 0, value, HEADER_LENGTH, text.length);
        System.arraycopy(bytes, offset, value, HEADER_LENGTH + text.length, length);
        RawBytes.putInt(value, CRC_AT, crc(value));
        return value;
    }

    /**
     * The reject that a value stands for.
     *
     * @throws StoreException where it is none
     */
    public static Reject decode(String key, byte[] value) {
        if (value.length < HEADER_LENGTH || RawBytes.getInt(value, 0) != MAGIC_AND_VERSION) {
            throw new StoreException("key=" + key + " is no reject of version 1");
        }
        int reasonEnd = HEADER_LENGTH + (RawBytes.getShort(value, REASON_LENGTH_AT) & 0xFFFF);
        if (crc(value) != RawBytes.getInt(value, CRC_AT) || reasonEnd > value.length) {
            throw new StoreException("key=" + key + " the reject is damaged: its crc does not match");
        }
        String detail = new String(value, HEADER_LENGTH, reasonEnd - HEADER_LENGTH, StandardCharsets.UTF_8);
        return new Reject(
                key,
                RawBytes.getLong(value, POSITION_AT),
                new RejectReason(kind(key, value[KIND_AT]), detail),
                Arrays.copyOfRange(value, reasonEnd, value.length));
    }

    private static int crc(byte[] value) {
        CRC32C crc = new CRC32C();
        crc.update(value, POSITION_AT, value.length - POSITION_AT);
        return (int) crc.getValue();
    }

    private static byte code(RejectReason.Kind kind) {
        return switch (kind) {
            case TRUNCATED -> 1;
            case INVALID_VALUE -> 2;
            case EXPRESSION -> 3;
            case OUT_OF_RANGE -> 4;
            case NO_MATCH -> 5;
        };
    }

    private static RejectReason.Kind kind(String key, byte code) {
        for (RejectReason.Kind kind : RejectReason.Kind.values()) {
            if (code(kind) == code) {
                return kind;
            }
        }
        throw new StoreException("key=" + key + " kind=" + code + " is no kind of reject");
    }
}
