package io.millrace.store;

import io.millrace.schema.yaml.Schemas;
import io.millrace.store.block.Blocks;
import io.millrace.store.block.ColumnBlockFuzzTest;
import io.millrace.store.region.EntryKey;
import io.millrace.store.region.EntryKeyTest;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Gives tests of other packages what reads stored bytes and keys. */
public final class StoredInputs {

    private static final EntryKey KEY = EntryKeyTest.key(EntryKeyTest.region("apn", "sessionId"));
    private static final int SHORTEST_BLOCK = 512;

    private StoredInputs() {}

    public static List<byte[]> blocks() {
        return List.of(ColumnBlockFuzzTest.BLOCK);
    }

    /** Reads a block with the checksums it has, and with right ones. */
    public static void parseBlock(byte[] block) {
        ColumnBlockFuzzTest.read(Schemas.builtIn().get("trade"), block, ColumnBlockFuzzTest.TESTS);
        if (block.length > SHORTEST_BLOCK) {
            Blocks.reseal(block);
            ColumnBlockFuzzTest.read(Schemas.builtIn().get("trade"), block, ColumnBlockFuzzTest.TESTS);
        }
    }

    public static void parseKey(byte[] text) {
        KEY.parse(new String(text, StandardCharsets.UTF_8));
    }
}
