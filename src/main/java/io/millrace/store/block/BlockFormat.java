package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * The format of a block: a header, then the records.
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
 *    4   4     CRC32C of the bytes from 8 to 88, and of the directory of columns behind them
 *    8   8     fingerprint of the records' schema
 *   16   8     position in the feed from which on this block covers it, or -1
 *   24   8     position up to which (exclusive) it does, or -1
 *   32   4     count of records, 0 or more
 *   36   2     length in bytes of what every record has, unsigned: encodings 0 and 2, the lower 16 bits of the record's;
 *              1 and 3, that of the fields added to it
 *   38   1     encoding of the records: 0 rows, 1 varied, 2 columns, 3 columns and records
 *   39   1     flags: bit 0 key range present, bit 1 time range present; bits 2 and 3, of encodings 1 and 3, the bytes
 *              of a length: 0 two, 1 one, 2 four; bits 2 to 7, of encodings 0 and 2, the upper bits of the record's
 *              length; others 0
 *   40   8     smallest key    48   8   largest key     (raw numbers of the fields, signed; 0 where not present)
 *   56   8     smallest time   64   8   largest time
 *   72   4     CRC32C of the name of the key's field in UTF-8, 0 where the range is not present
 *   76   4     CRC32C of the name of the time's field, likewise
 *   80   4     rows, varied: CRC32C of all bytes from 88 on; columns: 0, each column has its own; columns and records:
 *              CRC32C of all bytes behind the columns
 *   84   4     columns, columns and records: length in bytes of the directory; others: 0
 *   88         rows: count records, back to back, up to the end of the value
 *              varied: count lengths in bytes of a record, unsigned, 1, 2 or 4 bytes each; then count times the
 *              fields added to a record; then the records, back to back, up to the end of the value
 *              columns: directory and columns, see {@link ColumnDirectory}
 *              columns and records: directory and columns; then as varied
 * </pre>
 *
 * All numbers are big-endian, two's complement unless noted otherwise. A block without records is valid: it only
 * records the position up to which its feed is covered. Rows and columns contain records that all have the same length,
 * the other encodings those that vary in length.
 *
 * <p>Version 1 has no columns, ends its header at 72, and its only CRC at 4 covers all bytes from 8 to the end. It does
 * not record the fields of its ranges.
 */
public final class BlockFormat {

    /** Length in bytes of the header before the first record of rows, in the current version. */
    public static final int HEADER_LENGTH = 88;

    /** The version that this code writes. */
    public static final int VERSION = 2;

    static final int FIRST_VERSION = 1;
    static final int FIRST_HEADER_LENGTH = 72;

    /** Encoding of unchanged records, back to back. */
    public static final int ROWS = 0;

    /** Encoding of records of different lengths, with a table of the lengths. */
    public static final int VARIED = 1;

    /** Encoding of records in columns by field. */
    public static final int COLUMNS = 2;

    /** Encoding of records of different lengths, and of their fields in columns in front of them. */
    public static final int COLUMNS_AND_RECORDS = 3;

    /** Maximum length in bytes of records that all have the same. */
    private static final int MAX_ROW_LENGTH = (1 << 22) - 1;

    /** Maximum length in bytes of the fields added to records that vary in length. */
    private static final int MAX_ADDED_LENGTH = 0xFFFF;

    /** Bytes of an entry in the length table of a varied block, by the code in the flags. */
    private static final int[] LENGTH_BYTES = {Short.BYTES, 1, Integer.BYTES};

    /** The first three bytes, in ASCII. */
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
    private static final int ROW_LENGTH_MASK = 0x3F;

    private BlockFormat() {}

    /** Returns the width in bytes of the entries in the length table, by the flags of a header; 0 if unknown. */
    static int lengthBytesByFlags(byte flags) {
        int code = flags >> LENGTH_SHIFT & LENGTH_MASK;
        return code < LENGTH_BYTES.length ? LENGTH_BYTES[code] : 0;
    }

    /** Returns the bytes that an entry in the length table takes, so that a record's length fits. */
    static int lengthBytes(int longest) {
        return longest <= 0xFF ? 1 : longest <= 0xFFFF ? Short.BYTES : Integer.BYTES;
    }

    /** Returns the flags for a width of {@link #lengthBytes(int)}. */
    static int lengthFlags(int width) {
        return (width == Short.BYTES ? 0 : width == 1 ? 1 : 2) << LENGTH_SHIFT;
    }

    /** Returns the maximum length in bytes of what every record of an encoding has. */
    static int maxCommonLength(int encoding) {
        return encoding == ROWS || encoding == COLUMNS ? MAX_ROW_LENGTH : MAX_ADDED_LENGTH;
    }

    /** Returns the flags for the length in bytes of what every record has: its upper bits. */
    static int commonLengthFlags(int length) {
        return length >>> Short.SIZE << LENGTH_SHIFT;
    }

    /** Returns the length in bytes of what every record of a block has. */
    static int commonLength(byte[] header) {
        int lower = RawBytes.getShort(header, RECORD_LENGTH_AT) & 0xFFFF;
        int encoding = header[ENCODING_AT];
        return encoding == ROWS || encoding == COLUMNS
                ? (header[FLAGS_AT] >> LENGTH_SHIFT & ROW_LENGTH_MASK) << Short.SIZE | lower
                : lower;
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

    static void expect(String what, long found, long expected) {
        if (found != expected) {
            throw new BlockFormatException(
                    "Invalid " + what + " of the block: " + found + ". Expected " + expected + ".");
        }
    }

    static void expectCrc(int crcAt, byte[] bytes, int from, int to) {
        int crc = crc(bytes, from, to);
        if (crc != RawBytes.getInt(bytes, crcAt)) {
            throw new BlockFormatException("Invalid checksum of the block: "
                    + HexFormat.of().toHexDigits(RawBytes.getInt(bytes, crcAt)) + ". The checksum of its bytes is "
                    + HexFormat.of().toHexDigits(crc) + ".");
        }
    }
}
