package io.millrace.bench;

import io.millrace.bench.W2Benchmark.ObjectTrade;
import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.Schemas;
import io.millrace.store.Store;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.query.Query;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.write.RegionWriter;
import io.millrace.store.write.WriterName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What W2 asks, and of what: the ten million trades of {@link W1Data} in blocks. */
final class W2Data {

    static final Schema TRADE = Schemas.builtIn().get("trade");
    static final String WHERE = "currency1 == 'GBP' and currency2 == 'USD' and buySell == 'Buy'";

    /** The seed's query: the lowest rate of those. */
    static final Query QUERY = new Query(WHERE, List.of(), List.of("exchangeRate"), 1);

    static final byte GBP = 5;
    static final byte USD = 7;
    private static final int PORTION = 8192;

    private W2Data() {}

    static RegionDefinition region(BlockEncoding encoding) {
        return new RegionDefinition(
                "trades-" + encoding.tag(),
                Layout.BLOCKS,
                0,
                false,
                TRADE,
                List.of("id"),
                null,
                RegionDefinition.DEFAULT_BLOCK_RECORDS,
                encoding);
    }

    /** Configures servers that keep both regions. */
    static Path configuration() throws IOException {
        return Files.writeString(W1Data.FOLDER.resolve("w2.yml"), """
                millrace:
                  regions:
                    trades-rows: { layout: blocks, key: id }
                    trades-columns: { layout: blocks, key: id, encoding: columns }
                  pipelines:
                    rows:
                      schema: trade
                      steps:
                        - to: trades-rows
                    columns:
                      schema: trade
                      steps:
                        - to: trades-columns
                """);
    }

    /** Writes trades to blocks, as a pipeline does: batch by batch. */
    static List<byte[]> blocks(BlockEncoding encoding, byte[] trades, int count) {
        BlockWriter writer = BlockWriter.of(region(encoding), TRADE);
        RecordBatch batch = new RecordBatch(TRADE);
        List<byte[]> blocks = new ArrayList<>();
        for (int first = 0; first < count; first += PORTION) {
            int end = Math.min(first + PORTION, count);
            batch.fill(trades, first * W1Data.LENGTH, end - first, first, end);
            int index = 0;
            while (index < batch.selected()) {
                index = writer.append(batch, index);
                if (writer.full()) {
                    blocks.add(writer.seal(0, end));
                    writer.clear();
                }
            }
        }
        if (writer.count() > 0) {
            blocks.add(writer.seal(0, count));
        }
        return blocks;
    }

    /** Stores trades as a pipeline does. */
    static void fill(Store store, String region, byte[] trades, int count) {
        WriterName name = WriterName.of("trades", 0);
        RegionWriter writer = store.writer(region, name, TRADE, (_, _, reason) -> {
            throw new IllegalStateException(reason.toString());
        });
        writer.open(Objects.requireNonNull(store.claim(name, false).term()), 0);
        RecordBatch batch = new RecordBatch(TRADE);
        for (int first = 0; first < count; first += PORTION) {
            int size = Math.min(PORTION, count - first);
            writer.append(
                    batch.fill(trades, first * W1Data.LENGTH, size, RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
        }
        writer.flush();
    }

    /** Trades as objects. */
    static ObjectTrade[] objects(byte[] trades, int count) {
        String[] currencies = {"", "AUD", "CAD", "CHF", "EUR", "GBP", "JPY", "USD"};
        ObjectTrade[] objects = new ObjectTrade[count];
        for (int i = 0, at = 0; i < count; i++, at += W1Data.LENGTH) {
            objects[i] = new ObjectTrade(
                    RawBytes.getLong(trades, at),
                    RawBytes.getShort(trades, at + 8),
                    trades[at + 10] == 0 ? "Buy" : "Sell",
                    currencies[trades[at + 11]],
                    RawBytes.getLong(trades, at + 12),
                    rate(trades, at),
                    currencies[trades[at + 28]],
                    RawBytes.getLong(trades, at + 29),
                    RawBytes.getShort(trades, at + 37));
        }
        return objects;
    }

    static double rate(byte[] trades, int at) {
        return Double.longBitsToDouble(RawBytes.getLong(trades, at + 20));
    }

    /** The answer, by a plain loop over packed rows: the rate. */
    static double lowest(byte[] trades, int count) {
        double lowest = Double.POSITIVE_INFINITY;
        for (int i = 0, at = 0; i < count; i++, at += W1Data.LENGTH) {
            if (trades[at + 11] == GBP && trades[at + 28] == USD && trades[at + 10] == 0) {
                lowest = Math.min(lowest, rate(trades, at));
            }
        }
        return lowest;
    }
}
