package io.millrace.store;

import io.millrace.codec.RawBytes;
import java.util.HexFormat;
import java.util.OptionalInt;
import java.util.zip.CRC32C;

/**
 * Many records of one schema, stored as one value: a header, then the records.
 *
 * <pre>
 *   0              3    4              8              12             16
 *   +--------------+----+--------------+-----------------------------+
 *   | magic "MRB"  | v  | CRC32C       | schema fingerprint          |
 *   +--------------+----+--------------+-----------------------------+ 16
 *   | covered from                     | covered to                  |
 *   +----------------------------------+--------------+----+----+----+ 32
 *   | count        | record length|enc |flg | key min               ...
 *
 *   at  bytes  field
 *    0   3     magic, "MRB" in ASCII
 *    3   1     version, 1
 *    4   4     CRC32C of every byte from 8 to the end of the value
 *    8   8     fingerprint of the records' schema
 *   16   8     position in the feed from which on this block covers it, or -1
 *   24   8     position up to which (exclusive) it does, or -1
 *   32   4     count of records, 0 or more
 *   36   2     length in bytes of a record, unsigned
 *   38   1     encoding of the records: 0 is rows
 *   39   1     flags: bit 0 key range present, bit 1 time range present, others 0
 *   40   8     smallest key    48   8   largest key     (raw numbers of the fields, signed; 0 where not present)
 *   56   8     smallest time   64   8   largest time
 *   72         rows: count records, back to back, up to the end of the value
 * </pre>
 *
 * All numbers are big-endian, two's complement unless said otherwise. A block of no records is legal: it only says how
 * far its feed is covered.
 *
 * <p>This is a view of the value, which it neither copies nor changes; immutable and thread-safe as long as nobody
 * writes to the array.
 */
public final class Block {

    /** Bytes before the first record. */
    public static final int HEADER_LENGTH = 72;

    /** Version that this code writes. */
    public static final int VERSION = 1;

    /** Encoding of records that lie back to back as they are. */
    public static final int ROWS = 0;

    static final int MAGIC = 'M' << 16 | 'R' << 8 | 'B';
    static final int MAX_RECORD_LENGTH = 0xFFFF;
    static final int CRC_AT = 4;
    static final int CRC_FROM = 8;
    static final int FINGERPRINT_AT = 8;
    static final int FROM_AT = 16;
    static final int TO_AT = 24;
    static final int COUNT_AT = 32;
    static final int RECORD_LENGTH_AT = 36;
    static final int ENCODING_AT = 38;
    static final int FLAGS_AT = 39;
    static final int KEY_MIN_AT = 40;
    static final int KEY_MAX_AT = 48;
    static final int TIME_MIN_AT = 56;
    static final int TIME_MAX_AT = 64;
    static final int KEY_FLAG = 1;
    static final int TIME_FLAG = 2;

    private final byte[] bytes;

    private Block(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Checks a value and shows it as a block: costs a pass over its bytes.
     *
     * @param expectedFingerprint of the schema that the records must have
     * @throws BlockFormatException naming what is wrong
     */
    public static Block open(byte[] bytes, long expectedFingerprint) {
        if (bytes.length < HEADER_LENGTH) {
            throw new BlockFormatException(
                    "length=" + bytes.length + " is below the " + HEADER_LENGTH + " bytes of a block's header");
        }
        int first = RawBytes.getInt(bytes, 0);
        if (first >>> 8 != MAGIC) {
            throw new BlockFormatException(
                    "magic=" + HexFormat.of().formatHex(bytes, 0, 3) + " is not that of a block, 4d5242");
        }
        expect("version", first & 0xFF, VERSION);
        int crc = crc(bytes);
        if (crc != RawBytes.getInt(bytes, CRC_AT)) {
            throw new BlockFormatException("crc=" + HexFormat.of().toHexDigits(RawBytes.getInt(bytes, CRC_AT))
                    + " but the bytes give " + HexFormat.of().toHexDigits(crc) + ": the block is damaged");
        }
        Block block = new Block(bytes);
        expect("encoding", bytes[ENCODING_AT], ROWS);
        expect("length", bytes.length, HEADER_LENGTH + (long) block.count() * block.recordLength());
        if (block.fingerprint() != expectedFingerprint) {
            throw new BlockFormatException("fingerprint=" + HexFormat.of().toHexDigits(block.fingerprint())
                    + " of the block's schema is not the one expected, "
                    + HexFormat.of().toHexDigits(expectedFingerprint));
        }
        return block;
    }

    private static void expect(String what, long found, long expected) {
        if (found != expected) {
            throw new BlockFormatException(what + "=" + found + " is not the one expected, " + expected);
        }
    }

    static int crc(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, CRC_FROM, bytes.length - CRC_FROM);
        return (int) crc.getValue();
    }

    /**
     * How many records a value holds, read without any check of the rest; empty where it cannot be a block. For
     * counting, where a pass over the bytes would cost too much.
     */
    public static OptionalInt peekCount(byte[] bytes) {
        return bytes.length < HEADER_LENGTH || RawBytes.getInt(bytes, 0) != (MAGIC << 8 | VERSION)
                ? OptionalInt.empty()
                : OptionalInt.of(RawBytes.getInt(bytes, COUNT_AT));
    }

    /** The whole value; records lie from {@link #HEADER_LENGTH} on. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many records. */
    public int count() {
        return RawBytes.getInt(bytes, COUNT_AT);
    }

    /** Length in bytes of one record. */
    public int recordLength() {
        return RawBytes.getShort(bytes, RECORD_LENGTH_AT) & MAX_RECORD_LENGTH;
    }

    /** Fingerprint of the records' schema. */
    public long fingerprint() {
        return RawBytes.getLong(bytes, FINGERPRINT_AT);
    }

    /** Position in the feed from which on this block covers it, or {@code NO_POSITION}. */
    public long from() {
        return RawBytes.getLong(bytes, FROM_AT);
    }

    /** Position up to which, exclusive, this block covers its feed, or {@code NO_POSITION}. */
    public long to() {
        return RawBytes.getLong(bytes, TO_AT);
    }

    /** Whether the header says between which keys the records lie. */
    public boolean hasKeyRange() {
        return (bytes[FLAGS_AT] & KEY_FLAG) != 0;
    }

    /** Smallest raw key; meaningful only with {@link #hasKeyRange()}. */
    public long keyMin() {
        return RawBytes.getLong(bytes, KEY_MIN_AT);
    }

    /** Largest raw key; meaningful only with {@link #hasKeyRange()}. */
    public long keyMax() {
        return RawBytes.getLong(bytes, KEY_MAX_AT);
    }

    /** Whether the header says between which times the records lie. */
    public boolean hasTimeRange() {
        return (bytes[FLAGS_AT] & TIME_FLAG) != 0;
    }

    /** Smallest raw time; meaningful only with {@link #hasTimeRange()}. */
    public long timeMin() {
        return RawBytes.getLong(bytes, TIME_MIN_AT);
    }

    /** Largest raw time; meaningful only with {@link #hasTimeRange()}. */
    public long timeMax() {
        return RawBytes.getLong(bytes, TIME_MAX_AT);
    }
}
