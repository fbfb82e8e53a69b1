package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import java.util.OptionalInt;

/** Makes the checksums of a block right that was tampered with, as far as its lengths allow. */
public final class Blocks {

    private Blocks() {}

    public static void reseal(byte[] block) {
        int headerEnd = BlockFormat.HEADER_LENGTH + directoryLength(block).orElse(0);
        if (block[BlockFormat.ENCODING_AT] == BlockFormat.COLUMNS) {
            resealColumns(block, headerEnd);
        } else {
            RawBytes.putInt(block, BlockFormat.RECORDS_CRC_AT, BlockFormat.crc(block, headerEnd, block.length));
        }
        RawBytes.putInt(block, BlockFormat.CRC_AT, BlockFormat.crc(block, BlockFormat.CRC_FROM, headerEnd));
    }

    private static OptionalInt directoryLength(byte[] block) {
        int length = RawBytes.getInt(block, BlockFormat.DIRECTORY_LENGTH_AT);
        return length >= 0 && length <= block.length - BlockFormat.HEADER_LENGTH
                ? OptionalInt.of(length)
                : OptionalInt.empty();
    }

    private static void resealColumns(byte[] block, int headerEnd) {
        ColumnDirectory.Entry entry = new ColumnDirectory.Entry();
        int at = headerEnd;
        for (int i = 0; ColumnDirectory.at(i + 1) <= headerEnd; i++) {
            entry.read(block, ColumnDirectory.at(i));
            if (entry.length < 0 || entry.length > block.length - at) {
                return;
            }
            RawBytes.putInt(block, ColumnDirectory.crcAt(i), BlockFormat.crc(block, at, at + entry.length));
            at += entry.length;
        }
    }
}
