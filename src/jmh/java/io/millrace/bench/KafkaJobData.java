package io.millrace.bench;

import io.millrace.codec.RawBytes;
import io.millrace.feed.generator.RecordGenerator;
import io.millrace.schema.yaml.Schemas;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Orders of 100 bytes: a trade of W1 with its counterparty and texts, of which {@code lz4} compresses a part. A table
 * has the desk of each counterparty. Made as often as needed, from a seed.
 *
 * <pre>
 *   0       8    10  11  12      20      28  29      37  39            43         55        100
 *   | id    |date|b/s|cur|amount1|rate   |cur|amount2|date|counterparty| reference | comment |
 * </pre>
 */
final class KafkaJobData implements Supplier<byte[]> {

    /** Bytes of an order. */
    static final int LENGTH = 100;

    /** Rows of the table, with keys from 0. */
    static final int COUNTERPARTIES = 10_000;

    private static final String FIELDS = """
              - { name: counterparty, type: u32,    at: 39 }
              - { name: reference,    type: string, at: 43, length: 12 }
              - { name: comment,      type: string, at: 55, length: 45 }
            """;

    /** Offset of the field {@code counterparty}. */
    static final int COUNTERPARTY = 39;

    private static final int REFERENCE = 43;
    private static final int REFERENCE_LENGTH = 12;
    private static final int COMMENT = 55;
    private static final int CODES = 36;
    private static final long SEED = 100;
    private static final String[] COMMENTS = {
        "settle against payment at the custodian      ",
        "partial fill, the remainder stays in the book",
        "client order by phone, confirmed by mail     ",
        "hedge of the options book                    ",
        "",
        "allocated to several funds after the close   ",
        "limit order, good till cancelled             ",
        "give-up to the prime broker                  ",
    };

    private final RecordGenerator trades = RecordGenerator.of(Schemas.builtIn().get("trade"), SEED);
    private final Random random = new Random(SEED);
    private final byte[][] comments = IntStream.range(0, COMMENTS.length)
            .mapToObj(i -> COMMENTS[i].getBytes(StandardCharsets.US_ASCII))
            .toArray(byte[][]::new);
    private long buys;
    private long sells;

    /** Returns the next order. */
    @Override
    public byte[] get() {
        byte[] order = new byte[LENGTH];
        trades.fill(order, 0, 1);
        RawBytes.putInt(order, COUNTERPARTY, random.nextInt(COUNTERPARTIES));
        for (int i = 0; i < REFERENCE_LENGTH; i++) {
            order[REFERENCE + i] = (byte) Character.forDigit(random.nextInt(CODES), CODES);
        }
        byte[] comment = comments[random.nextInt(comments.length)];
        System.arraycopy(comment, 0, order, COMMENT, comment.length);
        if (W1Data.large(order, 0)) {
            if (W1Data.buy(order, 0)) {
                buys++;
            } else {
                sells++;
            }
        }
        return order;
    }

    /** Returns the numbers of orders that the job sends to each target, of those returned so far. */
    String targets() {
        return buys + " " + sells;
    }

    /** Writes the schema {@code order100} to a folder. */
    static void writeSchema(Path folder) throws IOException {
        Files.createDirectories(folder);
        String trade;
        try (var schema = KafkaJobData.class.getResourceAsStream("/schemas/trade.yml")) {
            trade = new String(schema.readAllBytes(), StandardCharsets.UTF_8);
        }
        Files.writeString(folder.resolve("order100.yml"), trade.replace("schema: trade", "schema: order100") + FIELDS);
    }

    /** Writes the table: the desk of each counterparty, in CSV. */
    static Path writeDesks() throws IOException {
        Files.createDirectories(W1Data.FOLDER);
        return Files.writeString(
                W1Data.FOLDER.resolve("desks-10k.csv"),
                IntStream.range(0, COUNTERPARTIES)
                        .mapToObj(id -> id + "," + W1Data.desk(id) + "\n")
                        .collect(Collectors.joining("", "id,desk\n", "")));
    }
}
