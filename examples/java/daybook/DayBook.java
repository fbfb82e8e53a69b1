package daybook;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.util.Objects;

/**
 * Stores the orders of a day outside the heap, with their balance: the sum of {@code amount * price}, negative for
 * sales. Sums are exact for all values.
 *
 * <p>Orders are buffered on the heap, up to {@value OrderBlock#ORDERS}. When the buffer is full and another order
 * arrives, the buffer is packed by columns, with as many bits per value as the range of a column needs, and summed. The
 * balance of all orders therefore costs at most a pass over the buffer. The balance of one ticket reads the blocks that
 * may contain it.
 *
 * <p>One thread writes: {@link #order}, {@link #append}, {@link #clear}, {@link #close}. Any thread may read
 * concurrently, without locks. A reader sees a prefix of the orders, each complete, which includes at least all orders
 * written before its call. If {@link #clear} was called during the read, it sees the new day. A reader retries if a
 * block became full or the book was cleared during its read; the writer never waits.
 *
 * <p>Writing allocates about 0.03 bytes per order on the heap, for the views of the blocks.
 */
public final class DayBook implements AutoCloseable {

    private static final VarHandle WRITTEN;

    static {
        try {
            WRITTEN = MethodHandles.lookup().findVarHandle(DayBook.class, "written", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final AppendOnlyMemory memory = new AppendOnlyMemory();
    private final OrderBlockWriter writer = new OrderBlockWriter(memory);

    /** The orders since the last full block, at indexes 0 to {@code written - full.end()}, exclusive. */
    private final int[] tickets = new int[OrderBlock.ORDERS];

    private final int[] amounts = new int[OrderBlock.ORDERS];
    private final int[] prices = new int[OrderBlock.ORDERS];
    private final boolean[] buys = new boolean[OrderBlock.ORDERS];

    private volatile FullBlocks full = FullBlocks.of(0);

    /** Number of orders on all days. Written last (release), so that a reader of it sees the orders. */
    private long written;

    /** Number of orders in the arrays; accessed only by the writer. */
    private int buffered;

    /**
     * Writes an order.
     *
     * @throws OutOfMemoryError if the system has no memory left; the book is then unchanged
     * @throws IllegalStateException if the book is closed and a block has become full
     */
    public void order(int ticket, int amount, int price, boolean buy) {
        if (buffered == OrderBlock.ORDERS) {
            packBuffered();
        }
        int at = buffered;
        tickets[at] = ticket;
        amounts[at] = amount;
        prices[at] = price;
        buys[at] = buy;
        buffered = at + 1;
        WRITTEN.setRelease(this, written + 1);
    }

    /**
     * Writes many orders. Faster than single writes, most of all for {@value OrderBlock#ORDERS} or more at a time.
     *
     * @param start index of the first order in all four arrays
     * @throws IndexOutOfBoundsException if an array is too short; no order is written then
     * @throws OutOfMemoryError if the system has no memory left; {@link #count} then returns how many orders were
     *     written
     */
    public void append(int[] tickets, int[] amounts, int[] prices, boolean[] buys, int start, int orders) {
        Objects.checkFromIndexSize(start, orders, tickets.length);
        Objects.checkFromIndexSize(start, orders, amounts.length);
        Objects.checkFromIndexSize(start, orders, prices.length);
        Objects.checkFromIndexSize(start, orders, buys.length);
        int end = start + orders;
        int at = start;
        while (at < end) {
            if (buffered == OrderBlock.ORDERS) {
                packBuffered();
            }
            int chunkLength = Math.min(end - at, OrderBlock.ORDERS - buffered);
            if (chunkLength == OrderBlock.ORDERS) {
                pack(tickets, amounts, prices, buys, at);
            } else {
                System.arraycopy(tickets, at, this.tickets, buffered, chunkLength);
                System.arraycopy(amounts, at, this.amounts, buffered, chunkLength);
                System.arraycopy(prices, at, this.prices, buffered, chunkLength);
                System.arraycopy(buys, at, this.buys, buffered, chunkLength);
                buffered += chunkLength;
            }
            WRITTEN.setRelease(this, written + chunkLength);
            at += chunkLength;
        }
    }

    /** Returns the number of orders. */
    public long count() {
        while (true) {
            FullBlocks blocks = full;
            long orders = Math.max((long) WRITTEN.getAcquire(this), blocks.end()) - blocks.start();
            if (sameDay(blocks)) {
                return orders;
            }
        }
    }

    /**
     * Returns an order, which it allocates.
     *
     * @param index index in the order of writing, from 0
     * @throws IndexOutOfBoundsException if there is no such order
     */
    public Order get(long index) {
        while (true) {
            FullBlocks blocks = full;
            long packedOrders = blocks.orders();
            Objects.checkIndex(index, packedOrders + buffered(blocks));
            Order order;
            if (index < packedOrders) {
                order = blocks.get(index);
            } else {
                int at = (int) (index - packedOrders);
                order = new Order(tickets[at], amounts[at], prices[at], buys[at]);
            }
            if (index < packedOrders ? sameDay(blocks) : arraysUnchanged(blocks)) {
                return order;
            }
        }
    }

    /** Returns the balance of all orders. */
    public BigInteger dayBalance() {
        while (true) {
            FullBlocks blocks = full;
            ExactSum sum = new ExactSum();
            int bufferedOrders = buffered(blocks);
            for (int i = 0; i < bufferedOrders; i++) {
                sum.add(amounts[i], prices[i], buys[i]);
            }
            if (arraysUnchanged(blocks)) {
                return blocks.balance().add(sum.value());
            }
        }
    }

    /** Returns the balance of one ticket, zero if it has no orders. */
    public BigInteger balance(int ticket) {
        while (true) {
            FullBlocks blocks = full;
            ExactSum sum = new ExactSum();
            int bufferedOrders = buffered(blocks);
            for (int i = 0; i < bufferedOrders; i++) {
                if (tickets[i] == ticket) {
                    sum.add(amounts[i], prices[i], buys[i]);
                }
            }
            if (arraysUnchanged(blocks)) {
                BigInteger balance = blocks.balance(ticket).add(sum.value());
                if (sameDay(blocks)) {
                    return balance;
                }
            }
        }
    }

    /** Returns the bytes outside the heap that contain orders. */
    public long bytes() {
        return memory.taken();
    }

    /** Starts a new day without orders, in the same memory. */
    public void clear() {
        buffered = 0;
        memory.clear();
        publish(FullBlocks.of(written));
    }

    /** Releases the memory. Reading orders afterwards throws an {@link IllegalStateException}. */
    @Override
    public void close() {
        memory.close();
    }

    private void packBuffered() {
        pack(tickets, amounts, prices, buys, 0);
        buffered = 0;
    }

    private void pack(int[] tickets, int[] amounts, int[] prices, boolean[] buys, int start) {
        FullBlocks blocks = full;
        publish(blocks.with(writer.write(tickets, amounts, prices, buys, start, blocks.balance())));
    }

    /** Publishes the blocks before later writes of this thread to the arrays or to reused memory. */
    private void publish(FullBlocks blocks) {
        full = blocks;
        VarHandle.storeStoreFence();
    }

    /**
     * Returns the number of orders in the arrays that follow these blocks. A block packed from other arrays is
     * published before it is counted, so the difference may be negative: the result is then 0. It may also exceed the
     * arrays if the writer has continued: then {@link #arraysUnchanged} returns false.
     */
    private int buffered(FullBlocks blocks) {
        return Math.clamp((long) WRITTEN.getAcquire(this) - blocks.end(), 0, OrderBlock.ORDERS);
    }

    /** Returns whether no order in the arrays was overwritten since these blocks were read. */
    private boolean arraysUnchanged(FullBlocks blocks) {
        VarHandle.acquireFence();
        FullBlocks now = full;
        return now.start() == blocks.start() && now.size() == blocks.size();
    }

    /** Returns whether none of these blocks was overwritten. */
    private boolean sameDay(FullBlocks blocks) {
        VarHandle.acquireFence();
        return full.start() == blocks.start();
    }
}
