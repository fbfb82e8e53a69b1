package io.millrace.store.block;

import static io.millrace.store.block.BlockFormat.COLUMNS;
import static io.millrace.store.block.BlockFormat.COLUMNS_AND_RECORDS;
import static io.millrace.store.block.BlockFormat.COUNT_AT;
import static io.millrace.store.block.BlockFormat.CRC_AT;
import static io.millrace.store.block.BlockFormat.CRC_FROM;
import static io.millrace.store.block.BlockFormat.DIRECTORY_LENGTH_AT;
import static io.millrace.store.block.BlockFormat.ENCODING_AT;
import static io.millrace.store.block.BlockFormat.FINGERPRINT_AT;
import static io.millrace.store.block.BlockFormat.FIRST_HEADER_LENGTH;
import static io.millrace.store.block.BlockFormat.FIRST_VERSION;
import static io.millrace.store.block.BlockFormat.FLAGS_AT;
import static io.millrace.store.block.BlockFormat.FROM_AT;
import static io.millrace.store.block.BlockFormat.HEADER_LENGTH;
import static io.millrace.store.block.BlockFormat.KEY_FLAG;
import static io.millrace.store.block.BlockFormat.KEY_MAX_AT;
import static io.millrace.store.block.BlockFormat.KEY_MIN_AT;
import static io.millrace.store.block.BlockFormat.KEY_NAME_AT;
import static io.millrace.store.block.BlockFormat.MAGIC;
import static io.millrace.store.block.BlockFormat.RECORDS_CRC_AT;
import static io.millrace.store.block.BlockFormat.ROWS;
import static io.millrace.store.block.BlockFormat.TIME_FLAG;
import static io.millrace.store.block.BlockFormat.TIME_MAX_AT;
import static io.millrace.store.block.BlockFormat.TIME_MIN_AT;
import static io.millrace.store.block.BlockFormat.TIME_NAME_AT;
import static io.millrace.store.block.BlockFormat.TO_AT;
import static io.millrace.store.block.BlockFormat.VARIED;
import static io.millrace.store.block.BlockFormat.VERSION;
import static io.millrace.store.block.BlockFormat.expect;
import static io.millrace.store.block.BlockFormat.expectCrc;
import static io.millrace.store.block.BlockFormat.lengthBytesByFlags;

import io.millrace.codec.RawBytes;
import io.millrace.expression.range.FieldCondition;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForm;
import io.millrace.store.region.StoredForms;
import java.util.HexFormat;
import java.util.OptionalInt;

/**
 * Many records of one schema, stored as one value in {@link BlockFormat}.
 *
 * <p>This is a view of the value, which it neither copies nor changes; immutable and thread-safe as long as no thread
 * writes to the array.
 */
public final class Block {

    private static final int RECORDS_PART = 0;
    private static final int FIRST_COLUMN_PART = 1;

    private final byte[] bytes;
    private final int recordsAt;
    /** Offset of the first record, or of the length table; meaningless for columns alone. */
    private final int bodyAt;

    private final int lengthBytes;
    private final BlockChecks.Mark checks;

    private Block(byte[] bytes, int recordsAt, BlockChecks.Mark checks) {
        this.bytes = bytes;
        this.recordsAt = recordsAt;
        this.bodyAt =
                bytes[ENCODING_AT] == COLUMNS_AND_RECORDS ? ColumnDirectory.columnsEnd(bytes, recordsAt) : recordsAt;
        this.lengthBytes = lengthBytesByFlags(bytes[FLAGS_AT]);
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
        if (block.hasColumns()) {
            new ColumnBlock(ColumnLayout.of(schema.stored())).show(block).checkAll();
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
            throw tooShort(bytes);
        }
        int first = RawBytes.getInt(bytes, 0);
        if (first >>> 8 != MAGIC) {
            throw new BlockFormatException("Invalid magic number of the block: "
                    + HexFormat.of().formatHex(bytes, 0, 3) + ". Expected 4d5242.");
        }
        int version = first & 0xFF;
        int headerEnd = recordsAt(bytes, version);
        expectCrc(CRC_AT, bytes, CRC_FROM, version == FIRST_VERSION ? bytes.length : headerEnd);
        Block block = new Block(bytes, headerEnd, checks);
        if (block.fingerprint() != schema.fingerprint()) {
            throw new BlockFormatException("Invalid schema fingerprint of the block: "
                    + HexFormat.of().toHexDigits(block.fingerprint()) + ". Expected " + schema.fingerprintHex() + ".");
        }
        StoredForm form = StoredForms.of(schema);
        boolean varied = form.length().isEmpty();
        if (block.encoding() == (varied ? COLUMNS_AND_RECORDS : COLUMNS)) {
            expect("version", block.version(), VERSION);
        } else {
            expect("encoding", block.encoding(), varied ? VARIED : ROWS);
            expect("header length", block.recordsAt, block.version() == VERSION ? HEADER_LENGTH : FIRST_HEADER_LENGTH);
        }
        expect("record length", block.recordLength(), form.commonLength());
        if (block.count() < 0) {
            throw new BlockFormatException(
                    "Invalid record count of the block: " + block.count() + ". Expected 0 or more.");
        }
        return block;
    }

    /** Returns a block that this process has just made of checked parts, with a header but without checksums. */
    static Block trusted(byte[] bytes) {
        BlockChecks.Mark checks = new BlockChecks.Mark(bytes);
        checks.setChecked(RECORDS_PART);
        return new Block(bytes, HEADER_LENGTH, checks);
    }

    private static BlockFormatException tooShort(byte[] bytes) {
        return new BlockFormatException(
                "Invalid length of the block: " + bytes.length + ". Its header has " + HEADER_LENGTH + " bytes.");
    }

    /** Returns the offset of the end of header and directory. */
    private static int recordsAt(byte[] bytes, int version) {
        if (version == FIRST_VERSION) {
            return FIRST_HEADER_LENGTH;
        }
        expect("version", version, VERSION);
        if (bytes.length < HEADER_LENGTH) {
            throw tooShort(bytes);
        }
        int directory = RawBytes.getInt(bytes, DIRECTORY_LENGTH_AT);
        if (directory < 0 || directory > bytes.length - HEADER_LENGTH) {
            throw new BlockFormatException("Invalid directory length of the block: " + directory + ". Expected 0 to "
                    + (bytes.length - HEADER_LENGTH) + ".");
        }
        return HEADER_LENGTH + directory;
    }

    /**
     * Checks the records, except those in columns: these are checked when they are read.
     *
     * @throws BlockFormatException naming the error
     */
    public void checkRecords() {
        switch (encoding()) {
            case ROWS -> {
                expect("length", bytes.length, end(recordLength()));
                checkRecordsCrc();
            }
            case VARIED, COLUMNS_AND_RECORDS -> {
                if (lengthBytes == 0) {
                    throw new BlockFormatException("Invalid flags of the block: " + bytes[FLAGS_AT]
                            + ". They must contain the width of the records' lengths.");
                }
                expect("length", bytes.length, variedLength());
                checkRecordsCrc();
            }
            default -> {}
        }
    }

    private void checkRecordsCrc() {
        if (version() != FIRST_VERSION) {
            checkPart(RECORDS_PART, RECORDS_CRC_AT, bodyAt, bytes.length);
        }
    }

    /** Checks a column, unless it is already checked. */
    void checkColumn(ColumnDirectory.Entry entry) {
        checkPart(FIRST_COLUMN_PART + entry.ordinal, entry.crcAt, entry.at, entry.at + entry.length);
    }

    /** Checks a part of the value, unless it is already checked. */
    private void checkPart(int part, int crcAt, int from, int to) {
        if (!checks.isChecked(part)) {
            expectCrc(crcAt, bytes, from, to);
            checks.setChecked(part);
        }
    }

    /** Returns the offset at which the value would end if each record had the given length. */
    private long end(int bytesOfRecord) {
        return bodyAt + (long) count() * bytesOfRecord;
    }

    /** Returns the length in bytes of the value according to its length table. */
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

    /**
     * Returns the encoding of the records: {@link BlockFormat#ROWS}, {@link BlockFormat#VARIED},
     * {@link BlockFormat#COLUMNS} or {@link BlockFormat#COLUMNS_AND_RECORDS}.
     */
    public int encoding() {
        return bytes[ENCODING_AT];
    }

    /** Returns whether the block has columns, which may contain only some of the fields. */
    public boolean hasColumns() {
        return encoding() == COLUMNS || encoding() == COLUMNS_AND_RECORDS;
    }

    /** Returns the number of records. */
    public int count() {
        return RawBytes.getInt(bytes, COUNT_AT);
    }

    /**
     * Returns the length in bytes that every record has: of a row the record, of one that varies in length the fields
     * added to it.
     */
    public int recordLength() {
        return BlockFormat.commonLength(bytes);
    }

    /** Returns the length in bytes of a record that varies in length, without the fields added to it. */
    int length(int record) {
        int at = bodyAt + record * lengthBytes;
        return switch (lengthBytes) {
            case 1 -> bytes[at] & 0xFF;
            case Short.BYTES -> RawBytes.getShort(bytes, at) & 0xFFFF;
            default -> RawBytes.getInt(bytes, at);
        };
    }

    /** Returns the offset of the fields that were added to a record that varies in length. */
    public int addedAt(int record) {
        return bodyAt + count() * lengthBytes + record * recordLength();
    }

    /**
     * Writes the offsets of records that vary in length, followed by the end of the last one.
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
