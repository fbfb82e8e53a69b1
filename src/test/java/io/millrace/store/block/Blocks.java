package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import java.util.OptionalInt;

/** Makes the checksums of a block right that was tampered with, as far as its lengths allow. */
public final class Blocks {

    private Blocks() {}

    public static void reseal(byte[] block) {
        int headerEnd = BlockFormat.HEADER_LENGTH + directoryLength(block).orElse(0);
        int encoding = block[BlockFormat.ENCODING_AT];
        boolean columns = encoding == BlockFormat.COLUMNS || encoding == BlockFormat.COLUMNS_AND_RECORDS;
        int columnsEnd = columns ? resealColumns(block, headerEnd) : headerEnd;
        if (encoding != BlockFormat.COLUMNS) {
            RawBytes.putInt(block, BlockFormat.RECORDS_CRC_AT, BlockFormat.crc(block, columnsEnd, block.length));
        }
        RawBytes.putInt(block, BlockFormat.CRC_AT, BlockFormat.crc(block, BlockFormat.CRC_FROM, headerEnd));
    }

    private static OptionalInt directoryLength(byte[] block) {
        int length = RawBytes.getInt(block, BlockFormat.DIRECTORY_LENGTH_AT);
        return length >= 0 && length <= block.length - BlockFormat.HEADER_LENGTH
                ? OptionalInt.of(length)
                : OptionalInt.empty();
    }

    /** Returns the offset past the columns, as far as they lie inside the block. */
    private static int resealColumns(byte[] block, int headerEnd) {
        ColumnDirectory.Entry entry = new ColumnDirectory.Entry();
        int encoding = block[BlockFormat.ENCODING_AT];
        int at = headerEnd;
        for (int i = 0; ColumnDirectory.at(i + 1, encoding) <= headerEnd; i++) {
            entry.read(block, ColumnDirectory.at(i, encoding));
            if (entry.length < 0 || entry.length > block.length - at) {
                return at;
            }
            RawBytes.putInt(block, entry.crcAt, BlockFormat.crc(block, at, at + entry.length));
            at += entry.length;
        }
        return at;
    }
}
