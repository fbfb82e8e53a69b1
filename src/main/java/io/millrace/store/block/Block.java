package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForm;
import java.nio.charset.StandardCharsets;
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
 *    3   1     version, 2
 *    4   4     CRC32C of the bytes from 8 to 88, and of columns of the directory behind them
 *    8   8     fingerprint of the records' schema
 *   16   8     position in the feed from which on this block covers it, or -1
 *   24   8     position up to which (exclusive) it does, or -1
 *   32   4     count of records, 0 or more
 *   36   2     length in bytes of what every record has, unsigned: rows and columns, the record; varied, the fields
 *              added to it
 *   38   1     encoding of the records: 0 rows, 1 varied, 2 columns
 *   39   1     flags: bit 0 key range present, bit 1 time range present; bits 2 and 3, of varied blocks, the bytes of
 *              a length: 0 two, 1 one, 2 four; others 0
 *   40   8     smallest key    48   8   largest key     (raw numbers of the fields, signed; 0 where not present)
 *   56   8     smallest time   64   8   largest time
 *   72   4     CRC32C of the name of the key's field in UTF-8, 0 where the range is not present
 *   76   4     CRC32C of the name of the time's field, likewise
 *   80   4     rows, varied: CRC32C of all bytes from 88 on; columns: 0, each column has its own
 *   84   4     columns: length in bytes of the directory; others: 0
 *   88         rows: count records, back to back, up to the end of the value
 *              varied: count lengths in bytes of a record, unsigned, 1, 2 or 4 bytes each; then count times the
 *              fields added to a record; then the records, back to back, up to the end of the value
 *              columns: directory and columns, see {@link ColumnDirectory}
 * </pre>
 *
 * All numbers are big-endian, two's complement unless noted otherwise. A block without records is valid: it only
 * records the position up to which its feed is covered. Rows and columns contain records that all have the same length,
 * varied blocks those that vary in length.
 *
 * <p>Version 1 has no columns, ends its header at 72, and its only CRC at 4 covers all bytes from 8 to the end. It does
 * not record the fields of its ranges.
 *
 * <p>This is a view of the value, which it neither copies nor changes; immutable and thread-safe as long as no thread
 * writes to the array.
 */
public final class Block {

    /** Length in bytes of the header before the first record of rows, in the current version. */
    public static final int HEADER_LENGTH = 88;

    /** The version that this code writes. */
    public static final int VERSION = 2;

    private static final int FIRST_VERSION = 1;
    private static final int FIRST_HEADER_LENGTH = 72;

    /** Encoding of unchanged records, back to back. */
    public static final int ROWS = 0;

    /** Encoding of records of different lengths, with a table of the lengths. */
    public static final int VARIED = 1;

    /** Encoding of records in columns by field. */
    public static final int COLUMNS = 2;

    /** Maximum length in bytes of what all records have: the record, or the fields added to it. */
    public static final int MAX_COMMON_LENGTH = 0xFFFF;

    /** Bytes of an entry in the length table of a varied block, by the code in the flags. */
    private static final int[] LENGTH_BYTES = {Short.BYTES, 1, Integer.BYTES};

    static final int MAGIC = 'M' << 16 | 'R' << 8 | 'B';
    static final int CRC_AT = 4;
    static final int CRC_FROM = 8;
    static final int FINGERPRINT_AT = 8;
    static final int FROM_AT = 16;
    static final int TO_AT = 24;
    static final int COUNT_AT = 32;
    static final int RECORD_LENGTH_AT = 36;
    /** Offset of the encoding in the header. */
    public static final int ENCODING_AT = 38;

    static final int FLAGS_AT = 39;
    static final int KEY_MIN_AT = 40;
    static final int KEY_MAX_AT = 48;
    static final int TIME_MIN_AT = 56;
    static final int TIME_MAX_AT = 64;
    static final int KEY_NAME_AT = 72;
    static final int TIME_NAME_AT = 76;
    static final int RECORDS_CRC_AT = 80;
    static final int DIRECTORY_LENGTH_AT = 84;
    static final int KEY_FLAG = 1;
    static final int TIME_FLAG = 2;
    private static final int LENGTH_SHIFT = 2;
    private static final int LENGTH_MASK = 3;

    private static final int RECORDS_PART = 0;

    private final byte[] bytes;
    private final int recordsAt;
    private final int lengthBytes;
    private final BlockChecks.Mark checks;

    private Block(byte[] bytes, int recordsAt, BlockChecks.Mark checks) {
        this.bytes = bytes;
        this.recordsAt = recordsAt;
        int lengthCode = bytes[FLAGS_AT] >> LENGTH_SHIFT & LENGTH_MASK;
        this.lengthBytes = lengthCode < LENGTH_BYTES.length ? LENGTH_BYTES[lengthCode] : 0;
        this.checks = checks;
    }

    /**
     * Checks a whole value and returns a view of it as a block: takes a pass over its bytes.
     *
     * @param schema that the records must have; if they vary in length, with any fields in its row
     * @throws BlockFormatException naming the error
     */
    public static Block open(byte[] bytes, Schema schema) {
        Block block = peek(bytes, schema, new BlockChecks.Mark(bytes));
        block.checkRecords();
        if (block.encoding() == COLUMNS) {
            new ColumnBlock(ColumnLayout.of(schema)).show(block).checkAll();
        }
        return block;
    }

    /**
     * Checks the header of a value and returns a view of it as a block whose records may still be corrupt. Before
     * version 2, where the header has no checksum of its own, the whole value is checked.
     *
     * @param schema that the records must have; if they vary in length, with any fields in its row
     * @param checks parts of the records that need not be checked again
     * @throws BlockFormatException naming the error
     */
    public static Block peek(byte[] bytes, Schema schema, BlockChecks.Mark checks) {
        if (bytes.length < FIRST_HEADER_LENGTH) {
            throw new BlockFormatException(
                    "length=" + bytes.length + " is below the " + HEADER_LENGTH + " bytes of a block's header");
        }
        int first = RawBytes.getInt(bytes, 0);
        if (first >>> 8 != MAGIC) {
            throw new BlockFormatException(
                    "magic=" + HexFormat.of().formatHex(bytes, 0, 3) + " is not that of a block, 4d5242");
        }
        Block block = new Block(bytes, recordsAt(bytes, first & 0xFF), checks);
        expectCrc(CRC_AT, bytes, CRC_FROM, block.version() == FIRST_VERSION ? bytes.length : block.recordsAt);
        if (block.fingerprint() != schema.fingerprint()) {
            throw new BlockFormatException("fingerprint=" + HexFormat.of().toHexDigits(block.fingerprint())
                    + " of the block's schema is not the one expected, " + schema.fingerprintHex());
        }
        StoredForm form = StoredForm.of(schema);
        if (form.allowsColumns() && block.encoding() == COLUMNS) {
            expect("version", block.version(), VERSION);
        } else {
            expect("encoding", block.encoding(), form.length().isPresent() ? ROWS : VARIED);
            expect("header", block.recordsAt, block.version() == VERSION ? HEADER_LENGTH : FIRST_HEADER_LENGTH);
        }
        expect("recordLength", block.recordLength(), form.commonLength());
        if (block.count() < 0) {
            throw new BlockFormatException("count=" + block.count() + " is negative");
        }
        return block;
    }

    /** Returns the offset of the end of header and directory. */
    private static int recordsAt(byte[] bytes, int version) {
        if (version == FIRST_VERSION) {
            return FIRST_HEADER_LENGTH;
        }
        expect("version", version, VERSION);
        if (bytes.length < HEADER_LENGTH) {
            throw new BlockFormatException(
                    "length=" + bytes.length + " is below the " + HEADER_LENGTH + " bytes of a block's header");
        }
        int directory = RawBytes.getInt(bytes, DIRECTORY_LENGTH_AT);
        if (directory < 0 || directory > bytes.length - HEADER_LENGTH) {
            throw new BlockFormatException("directory=" + directory + " does not lie inside the block");
        }
        return HEADER_LENGTH + directory;
    }

    /**
     * Checks the records of rows and varied blocks; those of columns are checked when they are read.
     *
     * @throws BlockFormatException naming the error
     */
    public void checkRecords() {
        switch (encoding()) {
            case ROWS -> {
                expect("length", bytes.length, end(recordLength()));
                checkRecordsCrc();
            }
            case VARIED -> {
                if (lengthBytes == 0) {
                    throw new BlockFormatException("flags=" + bytes[FLAGS_AT] + " have no known width of the lengths");
                }
                expect("length", bytes.length, variedLength());
                checkRecordsCrc();
            }
            default -> {}
        }
    }

    private void checkRecordsCrc() {
        if (version() != FIRST_VERSION) {
            checkPart(RECORDS_PART, RECORDS_CRC_AT, recordsAt, bytes.length);
        }
    }

    /** Checks a part of the value, unless it is already checked. */
    void checkPart(int part, int crcAt, int from, int to) {
        if (!checks.isChecked(part)) {
            expectCrc(crcAt, bytes, from, to);
            checks.setChecked(part);
        }
    }

    private static void expectCrc(int crcAt, byte[] bytes, int from, int to) {
        int crc = crc(bytes, from, to);
        if (crc != RawBytes.getInt(bytes, crcAt)) {
            throw new BlockFormatException("crc=" + HexFormat.of().toHexDigits(RawBytes.getInt(bytes, crcAt))
                    + " but the bytes give " + HexFormat.of().toHexDigits(crc) + ": the block is damaged");
        }
    }

    /** Returns the offset at which the value would end if each record had the given length. */
    private long end(int bytesOfRecord) {
        return recordsAt + (long) count() * bytesOfRecord;
    }

    /** Returns the length in bytes of a varied block according to its length table. */
    private long variedLength() {
        long length = end(lengthBytes + recordLength());
        // A table outside the value must not be read.
        if (length <= bytes.length) {
            for (int i = 0; i < count(); i++) {
                // A length of 2^31 or more is negative.
                length += length(i) & 0xFFFF_FFFFL;
            }
        }
        return length;
    }

    static void expect(String what, long found, long expected) {
        if (found != expected) {
            throw new BlockFormatException(what + "=" + found + " is not the one expected, " + expected);
        }
    }

    static int crc(byte[] bytes, int from, int to) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, from, to - from);
        return (int) crc.getValue();
    }

    /** Returns the checksum that identifies a field in a header. */
    static int nameCrc(String field) {
        byte[] name = field.getBytes(StandardCharsets.UTF_8);
        return crc(name, 0, name.length);
    }

    /**
     * Returns the number of records of a value, read without any other check; empty if the value cannot be a block. For
     * counting, where a pass over the bytes would be too expensive.
     */
    public static OptionalInt peekCount(byte[] bytes) {
        int version = bytes.length < FIRST_HEADER_LENGTH || RawBytes.getInt(bytes, 0) >>> 8 != MAGIC ? 0 : bytes[3];
        return version == VERSION || version == FIRST_VERSION
                ? OptionalInt.of(RawBytes.getInt(bytes, COUNT_AT))
                : OptionalInt.empty();
    }

    /** Returns the whole value. */
    public byte[] bytes() {
        return bytes;
    }

    /** Returns the offset of the end of header and directory: of the first record of rows. */
    public int recordsAt() {
        return recordsAt;
    }

    int version() {
        return bytes[3];
    }

    /** Returns the encoding of the records: {@link #ROWS}, {@link #VARIED} or {@link #COLUMNS}. */
    public int encoding() {
        return bytes[ENCODING_AT];
    }

    /** Returns the number of records. */
    public int count() {
        return RawBytes.getInt(bytes, COUNT_AT);
    }

    /**
     * Returns the length in bytes that every record has: of a row the record, of a varied block the fields added to it.
     */
    public int recordLength() {
        return RawBytes.getShort(bytes, RECORD_LENGTH_AT) & MAX_COMMON_LENGTH;
    }

    /** Returns the length in bytes of a record of a varied block, without the fields added to it. */
    int length(int record) {
        int at = recordsAt + record * lengthBytes;
        return switch (lengthBytes) {
            case 1 -> bytes[at] & 0xFF;
            case Short.BYTES -> RawBytes.getShort(bytes, at) & 0xFFFF;
            default -> RawBytes.getInt(bytes, at);
        };
    }

    /** Returns the bytes that an entry in the length table takes, so that a record's length fits. */
    static int lengthBytes(int longest) {
        return longest <= 0xFF ? 1 : longest <= 0xFFFF ? Short.BYTES : Integer.BYTES;
    }

    /** Returns the flags for a width of {@link #lengthBytes(int)}. */
    static int lengthFlags(int width) {
        return (width == Short.BYTES ? 0 : width == 1 ? 1 : 2) << LENGTH_SHIFT;
    }

    /** Returns the offset in a varied block of the fields that were added to a record. */
    public int addedAt(int record) {
        return recordsAt + count() * lengthBytes + record * recordLength();
    }

    /**
     * Writes the offsets of the records of a varied block, followed by the end of the last one.
     *
     * @param into receives them; longer by at least one than the number of records
     */
    public void bounds(int[] into) {
        int at = addedAt(count());
        for (int i = 0; i < count(); i++) {
            into[i] = at;
            at += length(i);
        }
        into[count()] = at;
    }

    /** Returns the fingerprint of the records' schema. */
    public long fingerprint() {
        return RawBytes.getLong(bytes, FINGERPRINT_AT);
    }

    /** Returns the position in the feed from which on this block covers it, or {@code NO_POSITION}. */
    public long from() {
        return RawBytes.getLong(bytes, FROM_AT);
    }

    /** Returns the position up to which, exclusive, this block covers its feed, or {@code NO_POSITION}. */
    public long to() {
        return RawBytes.getLong(bytes, TO_AT);
    }

    /** Returns whether the header contains the range of the records' keys. */
    public boolean hasKeyRange() {
        return (bytes[FLAGS_AT] & KEY_FLAG) != 0;
    }

    /**
     * Returns whether the header alone shows that a condition holds for no record. Absent values are not part of a
     * range, so the result is false for a condition that holds for absent values.
     */
    public boolean excludes(StoredCondition stored) {
        FieldCondition test = stored.test();
        if (version() == FIRST_VERSION || test.acceptsAbsent()) {
            return false;
        }
        boolean key = hasKeyRange() && RawBytes.getInt(bytes, KEY_NAME_AT) == stored.nameCrc();
        boolean time = hasTimeRange() && RawBytes.getInt(bytes, TIME_NAME_AT) == stored.nameCrc();
        return (key && !test.accepted().overlaps(keyMin(), keyMax()))
                || (time && !test.accepted().overlaps(timeMin(), timeMax()));
    }

    /** Returns the smallest raw key; meaningful only with {@link #hasKeyRange()}. */
    public long keyMin() {
        return RawBytes.getLong(bytes, KEY_MIN_AT);
    }

    /** Returns the largest raw key; meaningful only with {@link #hasKeyRange()}. */
    public long keyMax() {
        return RawBytes.getLong(bytes, KEY_MAX_AT);
    }

    /** Returns whether the header contains the range of the records' times. */
    public boolean hasTimeRange() {
        return (bytes[FLAGS_AT] & TIME_FLAG) != 0;
    }

    /** Returns the smallest raw time; meaningful only with {@link #hasTimeRange()}. */
    public long timeMin() {
        return RawBytes.getLong(bytes, TIME_MIN_AT);
    }

    /** Returns the largest raw time; meaningful only with {@link #hasTimeRange()}. */
    public long timeMax() {
        return RawBytes.getLong(bytes, TIME_MAX_AT);
    }
}
