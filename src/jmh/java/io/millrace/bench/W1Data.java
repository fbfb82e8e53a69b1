package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What W1 works on: ten million made-up trades in a file, and a table of 100,000 rows. Made once, then kept. */
final class W1Data {

    /** Trades in the file. */
    static final int TRADES = 10_000_000;

    /** Bytes of a trade. */
    static final int LENGTH = 39;

    /** Rows of the table, with keys from 0. */
    static final int DESKS = 100_000;

    static final Path FOLDER = Path.of("target", "bench");
    static final Path TRADES_FILE = FOLDER.resolve("trades-10m.bin");
    static final Path DESKS_FILE = FOLDER.resolve("desks-100k.csv");

    private static final long SEED = 39;
    private static final int PORTION = 10_000;
    private static final int JPY = 6;
    private static final long MILLION_CENTS = 100_000_000;

    private W1Data() {}

    /** Writes the files that are not there yet. */
    static void write() throws IOException {
        Files.createDirectories(FOLDER);
        if (Files.notExists(TRADES_FILE) || Files.size(TRADES_FILE) != (long) TRADES * LENGTH) {
            RecordGenerator generator = RecordGenerator.of(Schemas.builtIn().get("trade"), SEED);
            byte[] portion = new byte[PORTION * LENGTH];
            try (OutputStream out = Files.newOutputStream(TRADES_FILE)) {
                for (int i = 0; i < TRADES / PORTION; i++) {
                    generator.fill(portion, 0, PORTION);
                    out.write(portion);
                }
            }
        }
        Files.writeString(
                DESKS_FILE,
                IntStream.range(0, DESKS)
                        .mapToObj(id -> id + "," + desk(id) + "\n")
                        .collect(Collectors.joining("", "id,desk\n", "")));
    }

    /** All trades, back to back. */
    static byte[] trades() throws IOException {
        write();
        return Files.readAllBytes(TRADES_FILE);
    }

    /** The desk that the table has for a key. */
    static long desk(long key) {
        return 1 + key * 7919 % 1000;
    }

    /** Whether W1's filter keeps a trade. */
    static boolean large(byte[] bytes, int at) {
        return bytes[at + 11] != JPY && RawBytes.getLong(bytes, at + 12) > MILLION_CENTS;
    }

    /** Whether W1 routes a trade to the first region. */
    static boolean buy(byte[] bytes, int at) {
        return bytes[at + 10] == 0;
    }

    /** What is to be in the region of one side, found by a plain loop. */
    static W1Totals expected(byte[] bytes, int trades, boolean buys) {
        W1Totals totals = new W1Totals();
        for (int i = 0, at = 0; i < trades; i++, at += LENGTH) {
            if (large(bytes, at) && buy(bytes, at) == buys) {
                totals.add(bytes, at);
                totals.addComputed(desk(RawBytes.getLong(bytes, at) % DESKS), notional(bytes, at));
            }
        }
        return totals;
    }

    /** What W1 sets: amount1 by exchangeRate. */
    static double notional(byte[] bytes, int at) {
        return RawBytes.getLong(bytes, at + 12) / 100.0 * Double.longBitsToDouble(RawBytes.getLong(bytes, at + 20));
    }
}
