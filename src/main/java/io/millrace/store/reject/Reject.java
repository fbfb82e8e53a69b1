package io.millrace.store.reject;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason.Kind;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.error.StoreException;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.Memory;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.region.Retention;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

/**
 * A record that could not be processed. Regions of rejects store it as a tagged record of the built-in schema
 * {@code reject}:
 *
 * <pre>
 *   at  bytes  field
 *    0   8     time, milliseconds since 1970
 *    8   1     kind: 1 truncated, 2 invalid-value, 3 expression, 4 out-of-range, 5 no-match
 *    9   4     length in bytes of the rejected record, unsigned
 *   13         elements, each 1 byte tag, 2 bytes length of the value, and the value:
 *              tag 1: position in the feed, 8 bytes; only if the feed has positions
 *              tag 2: detail, at most {@value #MAX_DETAIL} bytes of UTF-8
 *              tag 3: the rejected record, at most {@value #MAX_BYTES} bytes of it
 * </pre>
 *
 * All numbers are big-endian.
 *
 * @param position in the feed, or {@link RecordBatch#NO_POSITION}
 * @param time when it was rejected
 * @param kind of the reason
 * @param detail readable description: field, value, expected value
 * @param length in bytes of the rejected record
 * @param bytes of the rejected record, its first {@value #MAX_BYTES}; belongs to the holder of this object
 */
public record Reject(long position, Instant time, Kind kind, String detail, long length, byte[] bytes) {

    /** Maximum length of a stored detail, in bytes of UTF-8. */
    public static final int MAX_DETAIL = 1000;

    /** Maximum number of bytes of a record that are stored. */
    public static final int MAX_BYTES = 64_000;

    /** Schema of regions of rejects. */
    public static final Schema SCHEMA = Schemas.builtIn().get("reject");

    static final int POSITION = 1;
    static final int DETAIL = 2;
    static final int RECORD = 3;

    static final int TIME_AT = 0;
    static final int KIND_AT = 8;
    static final int LENGTH_AT = 9;
    static final int HEADER_LENGTH = 13;

    static final int VALUE_LENGTH_AT = 1;
    static final int ELEMENT_HEADER_LENGTH = 3;

    /**
     * Records of a full block: retention never removes a number of the newest blocks, so small ones limit the size
     * better.
     */
    private static final int BLOCK_RECORDS = 256;

    /** Returns the definition of a region of rejects. */
    public static RegionDefinition region(
            String name, int copies, boolean persistent, Retention retention, Memory memory) {
        return new RegionDefinition(
                name,
                Layout.BLOCKS,
                copies,
                persistent,
                SCHEMA,
                List.of(),
                null,
                BLOCK_RECORDS,
                BlockEncoding.ROWS,
                retention,
                memory);
    }

    /** Returns whether a region is one of rejects. */
    public static boolean isStoredIn(RegionDefinition region) {
        return region.schema().name().equals(SCHEMA.name()) && region.schema().fingerprint() == SCHEMA.fingerprint();
    }

    /**
     * Decodes a stored reject. Implements {@link io.millrace.store.query.StoredRecordReader}.
     *
     * @throws StoreException if it is malformed
     */
    public static Reject decode(byte[] stored, int from, int to) {
        long position = RecordBatch.NO_POSITION;
        String detail = "";
        byte[] bytes = new byte[0];
        int at = from + HEADER_LENGTH;
        if (at > to) {
            throw malformed(from, to, from);
        }
        while (at + ELEMENT_HEADER_LENGTH <= to) {
            int value = at + ELEMENT_HEADER_LENGTH;
            int end = value + (RawBytes.getShort(stored, at + VALUE_LENGTH_AT) & 0xFFFF);
            if (end > to) {
                break;
            }
            switch (stored[at]) {
                case POSITION -> position = end - value == Long.BYTES ? RawBytes.getLong(stored, value) : position;
                case DETAIL -> detail = new String(stored, value, end - value, StandardCharsets.UTF_8);
                case RECORD -> bytes = Arrays.copyOfRange(stored, value, end);
                default -> {}
            }
            at = end;
        }
        if (at != to) {
            throw malformed(from, to, at);
        }
        return new Reject(
                position,
                Instant.ofEpochMilli(RawBytes.getLong(stored, from + TIME_AT)),
                kind(stored[from + KIND_AT]),
                detail,
                RawBytes.getInt(stored, from + LENGTH_AT) & 0xFFFF_FFFFL,
                bytes);
    }

    private static StoreException malformed(int from, int to, int at) {
        return new StoreException("A stored reject of " + (to - from) + " bytes is malformed at byte " + (at - from));
    }

    static byte code(Kind kind) {
        return switch (kind) {
            case TRUNCATED -> 1;
            case INVALID_VALUE -> 2;
            case EXPRESSION -> 3;
            case OUT_OF_RANGE -> 4;
            case NO_MATCH -> 5;
        };
    }

    private static Kind kind(byte code) {
        for (Kind kind : Kind.values()) {
            if (code(kind) == code) {
                return kind;
            }
        }
        throw new StoreException("A stored reject has the unknown kind " + code);
    }
}
