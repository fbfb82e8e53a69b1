package io.millrace.store.block;

import io.millrace.codec.RawBytes;
import java.util.OptionalInt;

/** Makes the checksums of a block right that was tampered with, as far as its lengths allow. */
public final class Blocks {

    private Blocks() {}

    public static void reseal(byte[] block) {
        int headerEnd = Block.HEADER_LENGTH + directoryLength(block).orElse(0);
        if (block[Block.ENCODING_AT] == Block.COLUMNS) {
            resealColumns(block, headerEnd);
        } else {
            RawBytes.putInt(block, Block.RECORDS_CRC_AT, Block.crc(block, headerEnd, block.length));
        }
        RawBytes.putInt(block, Block.CRC_AT, Block.crc(block, Block.CRC_FROM, headerEnd));
    }

    private static OptionalInt directoryLength(byte[] block) {
        int length = RawBytes.getInt(block, Block.DIRECTORY_LENGTH_AT);
        return length >= 0 && length <= block.length - Block.HEADER_LENGTH
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
            RawBytes.putInt(block, ColumnDirectory.crcAt(i), Block.crc(block, at, at + entry.length));
            at += entry.length;
        }
    }
}
