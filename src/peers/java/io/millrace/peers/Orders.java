package io.millrace.peers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The rules of the job, over the bytes of an order as {@code KafkaJobData} describes them. */
final class Orders {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final int BUY_SELL = 10;
    private static final int CURRENCY = 11;
    private static final int AMOUNT = 12;
    private static final int COUNTERPARTY = 39;
    private static final int JPY = 6;
    private static final long MILLION_CENTS = 100_000_000;

    private Orders() {}

    /** Whether the filter passes an order. */
    static boolean large(byte[] order) {
        return order[CURRENCY] != JPY && (long) LONG.get(order, AMOUNT) > MILLION_CENTS;
    }

    /** Whether an order is routed to the first target. */
    static boolean buy(byte[] order) {
        return order[BUY_SELL] == 0;
    }

    /** Returns a copy of the order with the desk of its counterparty behind it. */
    static byte[] enrich(byte[] order, Map<Integer, Long> desks) {
        byte[] enriched = Arrays.copyOf(order, order.length + Long.BYTES);
        LONG.set(enriched, order.length, (long) desks.get((int) INT.get(order, COUNTERPARTY)));
        return enriched;
    }

    /** Reads the desks by counterparty from a CSV file with a header. */
    static Map<Integer, Long> desks(Path file) {
        Map<Integer, Long> desks = new HashMap<>();
        try {
            for (String line : Files.readAllLines(file)) {
                if (!line.startsWith("id,")) {
                    String[] cells = line.split(",");
                    desks.put(Integer.valueOf(cells[0]), Long.valueOf(cells[1]));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return desks;
    }
}
