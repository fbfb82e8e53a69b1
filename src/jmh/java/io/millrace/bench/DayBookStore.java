package io.millrace.bench;

import daybook.DayBook;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A place for the orders of {@link DayBookBenchmark}. All but Millrace's sum in a long, which is enough for these
 * orders but would overflow for others.
 */
interface DayBookStore {

    /** What an order takes where it is packed: three ints and a byte. */
    int PACKED = 13;

    /** Writes the first so many orders, over those that were there. */
    void fill(DayBookData data, int orders);

    BigInteger balance();

    /** The bytes that the orders take. */
    long bytes();

    /** Gives memory outside the heap back. */
    default void close() {}

    /** The stores by their names. */
    static DayBookStore of(String name) {
        return switch (name) {
            case "objects" -> new Objects();
            case "ints" -> new Ints(DayBookData.ORDERS);
            case "heapBuffer" -> new Buffer(ByteBuffer.allocate(DayBookData.ORDERS * PACKED));
            case "directBuffer" -> new Buffer(ByteBuffer.allocateDirect(DayBookData.ORDERS * PACKED));
            case "unsafe" -> new DayBookUnsafe(DayBookData.ORDERS);
            case "millrace" -> new Single();
            case "millraceBulk" -> new Bulk();
            case "millraceBulkTwoThreads" -> new TwoThreads();
            default -> throw new IllegalArgumentException(name);
        };
    }

    /** A list of objects. */
    final class Objects implements DayBookStore {

        /** Header 12, three ints 12, a boolean 1, filled up to 32; and a reference in the list. */
        private static final long BYTES_EACH = 36;

        private final List<OrderObject> orders = new ArrayList<>();

        @Override
        public void fill(DayBookData data, int count) {
            orders.clear();
            for (int i = 0; i < count; i++) {
                int at = i % DayBookData.DRAWN;
                orders.add(new OrderObject(data.tickets[at], data.amounts[at], data.prices[at], data.buys[at]));
            }
        }

        @Override
        public BigInteger balance() {
            long sum = 0;
            for (OrderObject order : orders) {
                sum += (long) order.amount() * order.price() * (order.buy() ? 1 : -1);
            }
            return BigInteger.valueOf(sum);
        }

        @Override
        public long bytes() {
            return orders.size() * BYTES_EACH;
        }

        private record OrderObject(int ticket, int amount, int price, boolean buy) {}
    }

    /** Four arrays. */
    final class Ints implements DayBookStore {

        private final int[] tickets;
        private final int[] amounts;
        private final int[] prices;
        private final int[] buys;

        Ints(int most) {
            tickets = new int[most];
            amounts = new int[most];
            prices = new int[most];
            buys = new int[most];
        }

        @Override
        public void fill(DayBookData data, int count) {
            for (int i = 0; i < count; i++) {
                int at = i % DayBookData.DRAWN;
                tickets[i] = data.tickets[at];
                amounts[i] = data.amounts[at];
                prices[i] = data.prices[at];
                buys[i] = data.buys[at] ? 1 : 0;
            }
        }

        @Override
        public BigInteger balance() {
            long sum = 0;
            for (int i = 0; i < amounts.length; i++) {
                sum += (long) amounts[i] * prices[i] * (buys[i] == 1 ? 1 : -1);
            }
            return BigInteger.valueOf(sum);
        }

        @Override
        public long bytes() {
            return 4L * Integer.BYTES * amounts.length;
        }
    }

    /** A buffer on the heap or outside. */
    final class Buffer implements DayBookStore {

        private final ByteBuffer buffer;

        Buffer(ByteBuffer buffer) {
            this.buffer = buffer;
        }

        @Override
        public void fill(DayBookData data, int count) {
            for (int i = 0, to = 0; i < count; i++, to += PACKED) {
                int at = i % DayBookData.DRAWN;
                buffer.putInt(to, data.tickets[at]);
                buffer.putInt(to + 4, data.amounts[at]);
                buffer.putInt(to + 8, data.prices[at]);
                buffer.put(to + 12, (byte) (data.buys[at] ? 1 : 0));
            }
        }

        @Override
        public BigInteger balance() {
            long sum = 0;
            for (int at = 0; at < buffer.capacity(); at += PACKED) {
                sum += (long) buffer.getInt(at + 4) * buffer.getInt(at + 8) * (buffer.get(at + 12) == 1 ? 1 : -1);
            }
            return BigInteger.valueOf(sum);
        }

        @Override
        public long bytes() {
            return buffer.capacity();
        }
    }

    /** A day book, order by order. */
    final class Single implements DayBookStore {

        private final DayBook book = new DayBook();

        @Override
        public void fill(DayBookData data, int count) {
            book.clear();
            for (int i = 0; i < count; i++) {
                int at = i % DayBookData.DRAWN;
                book.order(data.tickets[at], data.amounts[at], data.prices[at], data.buys[at]);
            }
        }

        @Override
        public BigInteger balance() {
            return book.dayBalance();
        }

        @Override
        public long bytes() {
            return book.bytes();
        }

        @Override
        public void close() {
            book.close();
        }
    }

    /** A day book, as many orders at once as were drawn. */
    final class Bulk implements DayBookStore {

        private final DayBook book = new DayBook();

        @Override
        public void fill(DayBookData data, int count) {
            book.clear();
            for (int i = 0; i < count; i += DayBookData.DRAWN) {
                int some = Math.min(DayBookData.DRAWN, count - i);
                book.append(data.tickets, data.amounts, data.prices, data.buys, 0, some);
            }
        }

        @Override
        public BigInteger balance() {
            return book.dayBalance();
        }

        @Override
        public long bytes() {
            return book.bytes();
        }

        @Override
        public void close() {
            book.close();
        }
    }

    /** Two day books, each filled by a thread of its own with half of the orders, whose balances are added. */
    final class TwoThreads implements DayBookStore {

        /** Not just the half, so that the first book ends where the drawn orders do. */
        private static final int FIRST = DayBookData.ORDERS / 2 / DayBookData.DRAWN * DayBookData.DRAWN;

        private final Bulk one = new Bulk();
        private final Bulk other = new Bulk();

        @Override
        public void fill(DayBookData data, int count) {
            CompletableFuture<Void> first = CompletableFuture.runAsync(() -> one.fill(data, FIRST));
            other.fill(data, count - FIRST);
            first.join();
        }

        @Override
        public BigInteger balance() {
            return one.balance().add(other.balance());
        }

        @Override
        public long bytes() {
            return one.bytes() + other.bytes();
        }

        @Override
        public void close() {
            one.close();
            other.close();
        }
    }
}
