package io.millrace.store.block;

import io.millrace.codec.RawBytes;

/**
 * The directory of the columns of a block: an entry with position and encoding for each column, behind the block's
 * header. The columns follow in the same order, back to back. In a block of columns these are the columns of the
 * {@link ColumnLayout}, in its order, up to the end of the block. If records follow the columns, the columns are those
 * that the writer's schema had, and each entry has an id.
 *
 * <pre>
 *   at  bytes  field of an entry; big-endian
 *    0   1     encoding: 0 raw, 1 frame, 2 dictionary, 3 scaled
 *    1   1     width of a code in bits, 0, 1, 2, 4, or 8 to 56 by 8; raw: 0
 *    2   1     prediction: 0 none, 1 by index, 2 of another column, 3 of the product of two
 *    3   1     scaled: power of ten; prediction of a product: power of ten; dictionary: width of an entry in bits
 *    4   2     prediction 2 and 3: ordinal of the column, or of the first factor; else 0
 *    6   2     prediction 3: ordinal of the second factor; else 0
 *    8   4     length of the column in bytes
 *   12   4     CRC32C of the column
 *   16   4     dictionary: entries; else 0
 *   20   1     flags: bit 0 code 0 is the absent value, bit 1 range present, others 0
 *   21   3     0
 *   24   8     base: the number of code 0, where nothing is predicted; dictionary: the number of its entries' code 0
 *   32   8     prediction 1: step; else 0
 *   40   8     smallest number   48   8   largest number      (without the absent value; 0 where not present)
 *   56   8     only in front of records: id of the column, see {@link ColumnLayout}
 * </pre>
 *
 * Codes are {@link Packed}. The number of a record is
 *
 * <ul>
 *   <li>frame: base + code + what is predicted for it, wrapping round: index x step; the number of another column; or
 *       that of two columns multiplied, divided by the power of ten, half up;
 *   <li>dictionary: of the entry with the ordinal code. Entries ascend. Of numbers they are packed codes of their own;
 *       of more than 8 bytes they are these bytes;
 *   <li>scaled: the double nearest to (base + code) / the power of ten, as {@code FieldCondition.orderOf} its bits;
 *   <li>raw: as in the record, its bytes back to back.
 * </ul>
 *
 * For predictions from a column, the number is the coded one: of a scaled column, base + code.
 */
final class ColumnDirectory {

    static final int ENTRY_LENGTH = 56;
    static final int ENTRY_WITH_ID_LENGTH = 64;

    static final int RAW = 0;
    static final int FRAME = 1;
    static final int DICTIONARY = 2;
    static final int SCALED = 3;

    static final int NONE = 0;
    static final int INDEX = 1;
    static final int COLUMN = 2;
    static final int PRODUCT = 3;

    static final int ABSENT_FLAG = 1;
    static final int RANGE_FLAG = 2;

    private static final int WIDTH_AT = 1;
    private static final int PREDICTION_AT = 2;
    private static final int POWER_AT = 3;
    private static final int FIRST_AT = 4;
    private static final int SECOND_AT = 6;
    private static final int LENGTH_AT = 8;
    private static final int CRC_AT = 12;
    private static final int ENTRIES_AT = 16;
    private static final int FLAGS_AT = 20;
    private static final int BASE_AT = 24;
    private static final int STEP_AT = 32;
    private static final int MIN_AT = 40;
    private static final int MAX_AT = 48;
    private static final int ID_AT = 56;

    private ColumnDirectory() {}

    /** An unpacked entry. Mutable, so that reading blocks allocates nothing. */
    static final class Entry {
        int encoding;
        int width;
        int prediction;
        int power;
        int first;
        int second;
        int length;
        int entries;
        int flags;
        long base;
        long step;
        long min;
        long max;
        /** Index of the entry in the directory. */
        int ordinal;
        /** Offset of the column's CRC in the block. */
        int crcAt;
        /** Offset of the column in the block, which follows from the lengths of those before it. */
        int at;
        /** Offset of the codes: behind the dictionary, if there is one. */
        int codesAt;

        boolean hasAbsent() {
            return (flags & ABSENT_FLAG) != 0;
        }

        boolean hasRange() {
            return (flags & RANGE_FLAG) != 0;
        }

        void clear() {
            encoding = RAW;
            width = 0;
            prediction = NONE;
            power = 0;
            first = 0;
            second = 0;
            length = 0;
            entries = 0;
            flags = 0;
            base = 0;
            step = 0;
            min = 0;
            max = 0;
        }

        /** Returns the coded number of a code. */
        long coded(long code) {
            return base + code;
        }

        void read(byte[] bytes, int entryAt) {
            crcAt = entryAt + CRC_AT;
            encoding = bytes[entryAt];
            width = bytes[entryAt + WIDTH_AT];
            prediction = bytes[entryAt + PREDICTION_AT];
            power = bytes[entryAt + POWER_AT];
            first = RawBytes.getShort(bytes, entryAt + FIRST_AT) & 0xFFFF;
            second = RawBytes.getShort(bytes, entryAt + SECOND_AT) & 0xFFFF;
            length = RawBytes.getInt(bytes, entryAt + LENGTH_AT);
            entries = RawBytes.getInt(bytes, entryAt + ENTRIES_AT);
            flags = bytes[entryAt + FLAGS_AT];
            base = RawBytes.getLong(bytes, entryAt + BASE_AT);
            step = RawBytes.getLong(bytes, entryAt + STEP_AT);
            min = RawBytes.getLong(bytes, entryAt + MIN_AT);
            max = RawBytes.getLong(bytes, entryAt + MAX_AT);
        }

        /** Writes the entry of a column that is already written, over zeros. */
        void write(byte[] block, int entryAt) {
            block[entryAt] = (byte) encoding;
            block[entryAt + WIDTH_AT] = (byte) width;
            block[entryAt + PREDICTION_AT] = (byte) prediction;
            block[entryAt + POWER_AT] = (byte) power;
            RawBytes.putShort(block, entryAt + FIRST_AT, (short) first);
            RawBytes.putShort(block, entryAt + SECOND_AT, (short) second);
            RawBytes.putInt(block, entryAt + LENGTH_AT, length);
            RawBytes.putInt(block, entryAt + CRC_AT, BlockFormat.crc(block, at, at + length));
            RawBytes.putInt(block, entryAt + ENTRIES_AT, entries);
            block[entryAt + FLAGS_AT] = (byte) flags;
            RawBytes.putLong(block, entryAt + BASE_AT, base);
            RawBytes.putLong(block, entryAt + STEP_AT, step);
            RawBytes.putLong(block, entryAt + MIN_AT, min);
            RawBytes.putLong(block, entryAt + MAX_AT, max);
        }
    }

    /** Returns the length in bytes of an entry in a block of an encoding. */
    static int entryLength(int blockEncoding) {
        return blockEncoding == BlockFormat.COLUMNS_AND_RECORDS ? ENTRY_WITH_ID_LENGTH : ENTRY_LENGTH;
    }

    /** Returns the offset of an entry in a block of an encoding. */
    static int at(int column, int blockEncoding) {
        return BlockFormat.HEADER_LENGTH + column * entryLength(blockEncoding);
    }

    /** Returns the id of an entry that has one. */
    static long id(byte[] block, int entryAt) {
        return RawBytes.getLong(block, entryAt + ID_AT);
    }

    /** Writes the id of an entry. */
    static void putId(byte[] block, int entryAt, long id) {
        RawBytes.putLong(block, entryAt + ID_AT, id);
    }

    /** Returns the length in bytes of the column of an entry. */
    static int columnLength(byte[] block, int entryAt) {
        return RawBytes.getInt(block, entryAt + LENGTH_AT);
    }

    /**
     * Returns the offset past the columns of a block in which records follow them.
     *
     * @param directoryEnd offset past the directory, inside the block
     * @throws BlockFormatException if the directory's length is invalid, or a column does not lie inside the block
     */
    static int columnsEnd(byte[] block, int directoryEnd) {
        if ((directoryEnd - BlockFormat.HEADER_LENGTH) % ENTRY_WITH_ID_LENGTH != 0) {
            throw new BlockFormatException("Invalid directory length of the block: "
                    + (directoryEnd - BlockFormat.HEADER_LENGTH) + ". Expected a multiple of " + ENTRY_WITH_ID_LENGTH
                    + ".");
        }
        int end = directoryEnd;
        for (int at = BlockFormat.HEADER_LENGTH; at < directoryEnd; at += ENTRY_WITH_ID_LENGTH) {
            int length = columnLength(block, at);
            if (length < 0 || length > block.length - end) {
                throw new BlockFormatException("Invalid length of a column of the block: " + length + ".");
            }
            end += length;
        }
        return end;
    }
}
