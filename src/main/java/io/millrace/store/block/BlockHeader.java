package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForms;
import org.jspecify.annotations.Nullable;

/** Writes the headers of one writer's blocks. Immutable; allocates nothing. */
final class BlockHeader {

    private final long fingerprint;
    private final int commonLength;
    private final int encoding;

    /**
     * @param schema of the stored records
     * @param encoding of the records
     * @throws IllegalArgumentException if the records are too long
     */
    BlockHeader(Schema schema, int encoding) {
        this.fingerprint = schema.fingerprint();
        this.commonLength = StoredForms.of(schema).commonLength();
        this.encoding = encoding;
        int longest = BlockFormat.maxCommonLength(encoding);
        if (commonLength > longest) {
            throw new IllegalArgumentException("Invalid record length '" + commonLength
                    + "'. A block has records of at most " + longest + " bytes.");
        }
    }

    /** Returns the number of bytes that every record has: all of a row, or the fields that are added to a record. */
    int commonLength() {
        return commonLength;
    }

    /**
     * Writes the header of a block that already contains its records. The header bytes must be zero, or a header of the
     * same writer.
     *
     * @param directoryLength bytes of the columns' directory, 0 if there is none
     * @param flags flags in addition to those of the ranges
     * @param keys range of the key, null if unknown
     * @param times range of the time, null if unknown
     */
    void write(
            byte[] block,
            int directoryLength,
            int flags,
            long from,
            long to,
            int count,
            @Nullable FieldRange keys,
            @Nullable FieldRange times) {
        put(block, directoryLength, flags, from, to, count, keys, times);
        int headerEnd = BlockFormat.HEADER_LENGTH + directoryLength;
        int recordsAt = switch (encoding) {
            case BlockFormat.COLUMNS -> block.length;
            case BlockFormat.COLUMNS_AND_RECORDS -> ColumnDirectory.columnsEnd(block, headerEnd);
            default -> headerEnd;
        };
        RawBytes.putInt(block, BlockFormat.RECORDS_CRC_AT, BlockFormat.crc(block, recordsAt, block.length));
        RawBytes.putInt(block, BlockFormat.CRC_AT, BlockFormat.crc(block, BlockFormat.CRC_FROM, headerEnd));
    }

    /** Writes a header as {@link #write}, without checksums, for a block that is not stored. */
    void put(
            byte[] block,
            int directoryLength,
            int flags,
            long from,
            long to,
            int count,
            @Nullable FieldRange keys,
            @Nullable FieldRange times) {
        RawBytes.putInt(block, 0, BlockFormat.MAGIC << 8 | BlockFormat.VERSION);
        RawBytes.putLong(block, BlockFormat.FINGERPRINT_AT, fingerprint);
        RawBytes.putLong(block, BlockFormat.FROM_AT, from);
        RawBytes.putLong(block, BlockFormat.TO_AT, to);
        RawBytes.putInt(block, BlockFormat.COUNT_AT, count);
        RawBytes.putShort(block, BlockFormat.RECORD_LENGTH_AT, (short) commonLength);
        block[BlockFormat.ENCODING_AT] = (byte) encoding;
        block[BlockFormat.FLAGS_AT] = (byte) (flags
                | BlockFormat.commonLengthFlags(commonLength)
                | putRange(block, keys, BlockFormat.KEY_MIN_AT, BlockFormat.KEY_NAME_AT, BlockFormat.KEY_FLAG)
                | putRange(block, times, BlockFormat.TIME_MIN_AT, BlockFormat.TIME_NAME_AT, BlockFormat.TIME_FLAG));
        RawBytes.putInt(block, BlockFormat.DIRECTORY_LENGTH_AT, directoryLength);
    }

    private static int putRange(byte[] block, @Nullable FieldRange range, int at, int nameAt, int flag) {
        if (range == null || !range.any()) {
            return 0;
        }
        RawBytes.putInt(block, nameAt, range.nameCrc());
        RawBytes.putLong(block, at, range.min());
        RawBytes.putLong(block, at + Long.BYTES, range.max());
        return flag;
    }
}
