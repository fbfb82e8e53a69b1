package io.millrace.pipeline;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Trades written and read by hand, byte for byte as the format says, without anything of Millrace: what tests hold its
 * results against.
 */
public final class TradeFile {

    /** Bytes of a trade. */
    public static final int LENGTH = 39;

    private static final int JPY = 6;

    private TradeFile() {}

    /** One trade; codes and amounts as they are stored. */
    public record Trade(
            long id,
            int tradeDay,
            int side,
            int currency1,
            long cents1,
            double rate,
            int currency2,
            long cents2,
            int settlementDay) {

        public boolean buy() {
            return side == 0;
        }

        /** What the pipelines of these tests filter by: currency1 != 'JPY' and amount1 > 1000000. */
        public boolean large() {
            return currency1 != JPY && cents1 > 100_000_000;
        }

        public byte[] bytes() {
            return ByteBuffer.allocate(LENGTH)
                    .putLong(id)
                    .putShort((short) tradeDay)
                    .put((byte) side)
                    .put((byte) currency1)
                    .putLong(cents1)
                    .putDouble(rate)
                    .put((byte) currency2)
                    .putLong(cents2)
                    .putShort((short) settlementDay)
                    .array();
        }

        static Trade read(ByteBuffer bytes) {
            return new Trade(
                    bytes.getLong(),
                    bytes.getShort() & 0xFFFF,
                    bytes.get(),
                    bytes.get(),
                    bytes.getLong(),
                    bytes.getDouble(),
                    bytes.get(),
                    bytes.getLong(),
                    bytes.getShort() & 0xFFFF);
        }
    }

    /** Random trades with ids from 1. */
    public static List<Trade> random(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Trade> trades = new ArrayList<>(count);
        for (int i = 1; i <= count; i++) {
            trades.add(new Trade(
                    i,
                    random.nextInt(65536),
                    random.nextInt(2),
                    1 + random.nextInt(7),
                    random.nextLong(200_000_000L),
                    random.nextDouble(0.5, 200),
                    1 + random.nextInt(7),
                    random.nextLong(10_000_000_000L),
                    random.nextInt(65536)));
        }
        return trades;
    }

    /** Writes trades back to back. */
    public static Path write(Path file, List<Trade> trades) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(trades.size() * LENGTH);
        trades.forEach(trade -> bytes.put(trade.bytes()));
        return Files.write(file, bytes.array());
    }

    /** Reads trades that lie back to back. */
    public static List<Trade> read(byte[] bytes) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        List<Trade> trades = new ArrayList<>();
        while (buffer.remaining() >= LENGTH) {
            trades.add(Trade.read(buffer));
        }
        return trades;
    }

    /** Records, sum of amount1 and sum of ids of the large trades of each side. */
    public static Map<String, Totals> largeBySide(List<Trade> trades) {
        Map<String, Totals> totals = new HashMap<>();
        for (Trade trade : trades) {
            if (trade.large()) {
                totals.merge(trade.buy() ? "buys" : "sells", totals(trade), Totals::plus);
            }
        }
        return totals;
    }

    /** Of one trade. */
    public static Totals totals(Trade trade) {
        return new Totals(1, BigDecimal.valueOf(trade.cents1(), 2), trade.id());
    }

    /** How many, how much, and a sum that shows which. */
    public record Totals(long records, BigDecimal amount1, long ids) {
        public Totals plus(Totals other) {
            return new Totals(records + other.records, amount1.add(other.amount1), ids + other.ids);
        }
    }
}
