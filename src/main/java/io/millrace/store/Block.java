package io.millrace.store;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedLayout;
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
 *   36   2     length in bytes of what every record has, unsigned: rows, the record; varied, the fields added to it
 *   38   1     encoding of the records: 0 rows, 1 varied
 *   39   1     flags: bit 0 key range present, bit 1 time range present, others 0
 *   40   8     smallest key    48   8   largest key     (raw numbers of the fields, signed; 0 where not present)
 *   56   8     smallest time   64   8   largest time
 *   72         rows: count records, back to back, up to the end of the value
 *              varied: count lengths in bytes of a record, 2 bytes each, unsigned; then count times the fields added
 *              to a record; then the records, back to back, up to the end of the value
 * </pre>
 *
 * All numbers are big-endian, two's complement unless said otherwise. A block of no records is legal: it only says how
 * far its feed is covered. Rows hold records of the fixed layout, varied blocks those of the tagged layout.
 *
 * <p>This is a view of the value, which it neither copies nor changes; immutable and thread-safe as long as nobody
 * writes to the array.
 */
public final class Block {

    /** Bytes before the first record of rows. */
    public static final int HEADER_LENGTH = 72;

    /** Version that this code writes. */
    public static final int VERSION = 1;

    /** Encoding of records that lie back to back as they are. */
    public static final int ROWS = 0;

    /** Encoding of records of different lengths, with a table of these. */
    public static final int VARIED = 1;

    /** Longest record that a block holds, in bytes: lengths take two of them. */
    static final int MAX_RECORD_LENGTH = TaggedLayout.MAX_RECORD_LENGTH;

    /** Bytes of a record's length in the table of a varied block. */
    static final int LENGTH_BYTES = 2;

    static final int MAGIC = 'M' << 16 | 'R' << 8 | 'B';
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
     * @param schema that the records must have; of the tagged layout, whatever its row has room for
     * @throws BlockFormatException naming what is wrong
     */
    public static Block open(byte[] bytes, Schema schema) {
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
        if (block.fingerprint() != schema.fingerprint()) {
            throw new BlockFormatException("fingerprint=" + HexFormat.of().toHexDigits(block.fingerprint())
                    + " of the block's schema is not the one expected, " + schema.fingerprintHex());
        }
        boolean varied = schema.tagged() != null;
        expect("encoding", bytes[ENCODING_AT], varied ? VARIED : ROWS);
        expect("recordLength", block.recordLength(), commonLength(schema));
        if (block.count() < 0) {
            throw new BlockFormatException("count=" + block.count() + " is negative");
        }
        expect("length", bytes.length, varied ? block.variedLength() : block.end(block.recordLength()));
        return block;
    }

    /** Bytes that every record of a block has, whatever its length: all of a row, or what is added to a record. */
    static int commonLength(Schema schema) {
        return schema.tagged() == null ? schema.recordLength() : schema.recordLength() - schema.foundLength();
    }

    /** Where the value would end if each record took so many bytes. */
    private long end(int bytesOfRecord) {
        return HEADER_LENGTH + (long) count() * bytesOfRecord;
    }

    /** Length in bytes that a varied block says it has. */
    private long variedLength() {
        long length = end(LENGTH_BYTES + recordLength());
        // A table that lies outside the value must not be read.
        if (length <= bytes.length) {
            for (int i = 0; i < count(); i++) {
                length += length(i);
            }
        }
        return length;
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

    /** The whole value; rows lie from {@link #HEADER_LENGTH} on. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many records. */
    public int count() {
        return RawBytes.getInt(bytes, COUNT_AT);
    }

    /** Length in bytes of what every record has: of a row the record, of a varied block the fields added to it. */
    public int recordLength() {
        return RawBytes.getShort(bytes, RECORD_LENGTH_AT) & MAX_RECORD_LENGTH;
    }

    /** Length in bytes of a record of a varied block, without the fields added to it. */
    int length(int record) {
        return RawBytes.getShort(bytes, HEADER_LENGTH + record * LENGTH_BYTES) & MAX_RECORD_LENGTH;
    }

    /** Where in a varied block the fields lie that were added to a record. */
    int addedAt(int record) {
        return HEADER_LENGTH + count() * LENGTH_BYTES + record * recordLength();
    }

    /**
     * Where in a varied block the records begin, and behind the last of these where that one ends.
     *
     * @param into receives them; longer by one than there are records, or more
     */
    void bounds(int[] into) {
        int at = addedAt(count());
        for (int i = 0; i < count(); i++) {
            into[i] = at;
            at += length(i);
        }
        into[count()] = at;
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
