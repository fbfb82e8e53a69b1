package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import io.millrace.schema.Schema;
import io.millrace.store.region.StoredForm;
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
        this.commonLength = StoredForm.of(schema).commonLength();
        this.encoding = encoding;
        if (commonLength > Block.MAX_COMMON_LENGTH) {
            throw new IllegalArgumentException("recordLength=" + commonLength
                    + " is above the largest that a block holds, " + Block.MAX_COMMON_LENGTH);
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
        RawBytes.putInt(block, 0, Block.MAGIC << 8 | Block.VERSION);
        RawBytes.putLong(block, Block.FINGERPRINT_AT, fingerprint);
        RawBytes.putLong(block, Block.FROM_AT, from);
        RawBytes.putLong(block, Block.TO_AT, to);
        RawBytes.putInt(block, Block.COUNT_AT, count);
        RawBytes.putShort(block, Block.RECORD_LENGTH_AT, (short) commonLength);
        block[Block.ENCODING_AT] = (byte) encoding;
        block[Block.FLAGS_AT] = (byte) (flags
                | putRange(block, keys, Block.KEY_MIN_AT, Block.KEY_NAME_AT, Block.KEY_FLAG)
                | putRange(block, times, Block.TIME_MIN_AT, Block.TIME_NAME_AT, Block.TIME_FLAG));
        RawBytes.putInt(block, Block.DIRECTORY_LENGTH_AT, directoryLength);
        int headerEnd = Block.HEADER_LENGTH + directoryLength;
        int recordsCrc = encoding == Block.COLUMNS ? 0 : Block.crc(block, headerEnd, block.length);
        RawBytes.putInt(block, Block.RECORDS_CRC_AT, recordsCrc);
        RawBytes.putInt(block, Block.CRC_AT, Block.crc(block, Block.CRC_FROM, headerEnd));
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
