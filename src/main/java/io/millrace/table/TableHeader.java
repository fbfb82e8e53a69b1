package io.millrace.table;

import io.millrace.memory.Checksums;
import io.millrace.memory.RawMemory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * The header of a packed table, in memory and in a file. Numbers are big-endian.
 *
 * <pre>
 *  0        8       12      16            24     32      40             48       56          60
 *  +--------+-------+-------+-------------+------+-------+--------------+--------+-----------+----------+
 *  | magic  |version| form  | fingerprint | rows | slots | smallest key | buckets| row length| text len |
 *  +--------+-------+-------+-------------+------+-------+--------------+--------+-----------+----------+
 *  64       72      80      88            96       104      112      116     120      124    128
 *  +--------+-------+-------+-------------+--------+--------+--------+-------+--------+------+------------+
 *  | index  | keys  | rows  | checksums   | length | stamp  | checks | state | header | 0    | text ...   |
 *  |    at  |   at  |   at  |     at      |        |        |    crc |       |    crc |      |            |
 *  +--------+-------+-------+-------------+--------+--------+--------+-------+--------+------+------------+
 * </pre>
 *
 * The text is the key's name, a line feed, and the schema as {@link SchemaText} writes it. The areas behind it begin at
 * multiples of 64 bytes: the index (direct: a bit for each slot that contains a row; hashed: the ordinal of each
 * bucket's first row, and one more), the keys (hashed: the number or the hash of each row's key), the rows, of which
 * the first is the row for keys that the table does not contain, and the CRC32C of each {@value #CHECKED_BYTES} bytes
 * between text and checksums.
 *
 * @param form how rows are found
 * @param fingerprint of the rows' schema
 * @param rows number of rows, without the absent row
 * @param slots direct: number of keys in the range; hashed: equal to {@code rows}
 * @param smallestKey direct: the key of the first slot
 * @param buckets hashed: number of buckets
 * @param rowLength in bytes
 * @param stamp identifies the source's version, so that a later start can detect a change
 * @param text the key's name and the schema
 */
record TableHeader(
        TableForm form,
        long fingerprint,
        long rows,
        long slots,
        long smallestKey,
        long buckets,
        int rowLength,
        long stamp,
        String text) {

    static final int CHECKED_BYTES = 1 << 20;

    private static final long MAGIC = 0x4D525441424C4531L;
    private static final int VERSION = 3;

    private static final int COMPLETE = 1;
    private static final int TEXT_AT = 128;
    private static final int STAMP_AT = 104;
    private static final int CHECKS_CRC_AT = 112;
    private static final int STATE_AT = 116;
    private static final int HEADER_CRC_AT = 120;
    private static final int ALIGNMENT = 64;
    private static final int VERSION_BYTES = 8;

    private static long align(long at) {
        return (at + ALIGNMENT - 1) & -ALIGNMENT;
    }

    private byte[] textBytes() {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    long indexAt() {
        return align(TEXT_AT + textBytes().length);
    }

    long keysAt() {
        long indexBytes =
                form == TableForm.DIRECT ? (slots + Long.SIZE - 1) / Long.SIZE * Long.BYTES : (buckets + 1) * 4;
        return align(indexAt() + indexBytes);
    }

    long rowsAt() {
        return align(keysAt() + (form == TableForm.DIRECT ? 0 : rows * Long.BYTES));
    }

    long checksumsAt() {
        return align(rowsAt() + (slots + 1) * rowLength);
    }

    /** Returns the size of the table in bytes. */
    long length() {
        return checksumsAt() + checks() * Integer.BYTES;
    }

    private long checks() {
        return (checksumsAt() - indexAt() + CHECKED_BYTES - 1) / CHECKED_BYTES;
    }

    /** Writes everything but the checksums and the mark that the table is complete. */
    void write(MemorySegment memory) {
        byte[] bytes = textBytes();
        RawMemory.putLong(memory, 0, MAGIC);
        RawMemory.putInt(memory, 8, VERSION);
        RawMemory.putInt(memory, 12, form.code());
        RawMemory.putLong(memory, 16, fingerprint);
        RawMemory.putLong(memory, 24, rows);
        RawMemory.putLong(memory, 32, slots);
        RawMemory.putLong(memory, 40, smallestKey);
        RawMemory.putLong(memory, 48, buckets);
        RawMemory.putInt(memory, 56, rowLength);
        RawMemory.putInt(memory, 60, bytes.length);
        RawMemory.putLong(memory, 64, indexAt());
        RawMemory.putLong(memory, 72, keysAt());
        RawMemory.putLong(memory, 80, rowsAt());
        RawMemory.putLong(memory, 88, checksumsAt());
        RawMemory.putLong(memory, 96, length());
        RawMemory.putLong(memory, STAMP_AT, stamp);
        RawMemory.copy(bytes, 0, memory, TEXT_AT, bytes.length);
    }

    /** Computes all checksums of a table whose rows are written, and marks it as complete. */
    void complete(MemorySegment memory) {
        for (long i = 0; i < checks(); i++) {
            RawMemory.putInt(memory, checksumsAt() + i * Integer.BYTES, checksum(memory, i));
        }
        RawMemory.putInt(memory, CHECKS_CRC_AT, Checksums.crc32c(memory, checksumsAt(), checks() * Integer.BYTES));
        RawMemory.putInt(memory, STATE_AT, COMPLETE);
        RawMemory.putInt(memory, HEADER_CRC_AT, headerChecksum(memory));
    }

    private int checksum(MemorySegment memory, long index) {
        long at = indexAt() + index * CHECKED_BYTES;
        return Checksums.crc32c(memory, at, Math.min(CHECKED_BYTES, checksumsAt() - at));
    }

    /** Returns how many pieces of {@value #CHECKED_BYTES} bytes do not match their checksum. Reads the whole table. */
    long damaged(MemorySegment memory) {
        long damaged = 0;
        for (long i = 0; i < checks(); i++) {
            damaged += checksum(memory, i) == RawMemory.getInt(memory, checksumsAt() + i * Integer.BYTES) ? 0 : 1;
        }
        return damaged;
    }

    /**
     * Returns the version of a table that is marked as complete: a hash of its rows, their schema and their order. It
     * is the same in memory and in a file, and does not depend on the stamp. Reads the checksums and none of the rows.
     */
    String version(MemorySegment memory) {
        MessageDigest digest = sha256();
        digest.update(memory.asSlice(0, STAMP_AT).asByteBuffer());
        digest.update(memory.asSlice(TEXT_AT, textBytes().length).asByteBuffer());
        long end = length();
        for (long at = checksumsAt(); at < end; at += CHECKED_BYTES) {
            digest.update(memory.asSlice(at, Math.min(CHECKED_BYTES, end - at)).asByteBuffer());
        }
        return HexFormat.of().formatHex(digest.digest(), 0, VERSION_BYTES);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    private static int headerChecksum(MemorySegment memory) {
        byte[] header =
                memory.asSlice(0, TEXT_AT + RawMemory.getInt(memory, 60)).toArray(ValueLayout.JAVA_BYTE);
        Arrays.fill(header, HEADER_CRC_AT, HEADER_CRC_AT + Integer.BYTES, (byte) 0);
        return Checksums.crc32c(MemorySegment.ofArray(header), 0, header.length);
    }

    /** Returns whether memory begins with the magic number of a packed table. */
    static boolean isThere(MemorySegment memory) {
        return memory.byteSize() >= TEXT_AT && RawMemory.getLong(memory, 0) == MAGIC;
    }

    /**
     * Reads a header and validates it against the size of the memory. Reads none of the rows.
     *
     * @throws TableException if the memory is not a complete table
     */
    static TableHeader read(MemorySegment memory, String table, String file) {
        if (!isThere(memory)) {
            throw new TableException(
                    table,
                    file,
                    List.of("Invalid table: it does not begin with a table's magic number. Build it again."));
        }
        int version = RawMemory.getInt(memory, 8);
        if (version != VERSION) {
            throw new TableException(
                    table,
                    file,
                    List.of("Unsupported table format: version " + version + ". This version of Millrace reads "
                            + VERSION + ". Build the table again."));
        }
        int textLength = RawMemory.getInt(memory, 60);
        if (textLength < 0
                || textLength > memory.byteSize() - TEXT_AT
                || RawMemory.getInt(memory, STATE_AT) != COMPLETE
                || RawMemory.getInt(memory, HEADER_CRC_AT) != headerChecksum(memory)) {
            throw new TableException(
                    table, file, List.of("Incomplete table, or a corrupt header. Build the table again."));
        }
        TableHeader header = new TableHeader(
                TableForm.ofCode(RawMemory.getInt(memory, 12)),
                RawMemory.getLong(memory, 16),
                RawMemory.getLong(memory, 24),
                RawMemory.getLong(memory, 32),
                RawMemory.getLong(memory, 40),
                RawMemory.getLong(memory, 48),
                RawMemory.getInt(memory, 56),
                RawMemory.getLong(memory, STAMP_AT),
                new String(memory.asSlice(TEXT_AT, textLength).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
        if (header.length() != memory.byteSize() || RawMemory.getLong(memory, 96) != memory.byteSize()) {
            throw new TableException(
                    table,
                    file,
                    List.of("Truncated table: " + memory.byteSize() + " of " + header.length()
                            + " bytes. Build the table again."));
        }
        return header;
    }
}
