package io.millrace.daybook;

import io.millrace.memory.AppendOnlyMemory;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.util.Objects;

/**
 * A day's orders, kept outside the heap, and their balance: the sum of {@code amount * price}, of sales less than zero.
 * Sums are exact, whatever the numbers.
 *
 * <p>Orders are gathered on the heap, {@value OrderBlock#ORDERS} at a time; when so many are there and another comes,
 * they are packed by columns, in as many bits as the values of each need, and summed. So a balance over all costs next
 * to nothing at any time; that of one ticket looks through the blocks in which it may be.
 *
 * <p>One thread writes: {@link #order}, {@link #append}, {@link #clear}, {@link #close}. Any thread reads meanwhile,
 * without a lock, and sees the first so many orders, each whole: at least all that were there when it asked. After a
 * {@link #clear} in between it sees the new day. A reader may have to begin again when a block became full or the book
 * was cleared just then; the writer never waits.
 *
 * <p>Writing allocates about 0.03 bytes an order on the heap, for the views of the blocks.
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

    /** The orders since the last full block: those from 0 to {@code written - full.end()}. */
    private final int[] tickets = new int[OrderBlock.ORDERS];

    private final int[] amounts = new int[OrderBlock.ORDERS];
    private final int[] prices = new int[OrderBlock.ORDERS];
    private final boolean[] buys = new boolean[OrderBlock.ORDERS];

    private volatile FullBlocks full = FullBlocks.of(0);

    /** How many orders there were on all days. Written last, so that a reader of it finds the orders. */
    private long written;

    /** How many of the arrays' places are taken; only the writer reads it. */
    private int gathered;

    /**
     * Writes an order.
     *
     * @throws OutOfMemoryError if the system has no more; the book is then as before
     * @throws IllegalStateException if the book is closed and a block has become full
     */
    public void order(int ticket, int amount, int price, boolean buy) {
        if (gathered == OrderBlock.ORDERS) {
            packGathered();
        }
        int at = gathered;
        tickets[at] = ticket;
        amounts[at] = amount;
        prices[at] = price;
        buys[at] = buy;
        gathered = at + 1;
        WRITTEN.setRelease(this, written + 1);
    }

    /**
     * Writes many orders: faster than each by itself, most of all {@value OrderBlock#ORDERS} or more at a time.
     *
     * @param from index of the first one in all four arrays
     * @throws IndexOutOfBoundsException if an array ends before; no order is written then
     * @throws OutOfMemoryError if the system has no more; {@link #count} then tells how many were written
     */
    public void append(int[] tickets, int[] amounts, int[] prices, boolean[] buys, int from, int orders) {
        Objects.checkFromIndexSize(from, orders, tickets.length);
        Objects.checkFromIndexSize(from, orders, amounts.length);
        Objects.checkFromIndexSize(from, orders, prices.length);
        Objects.checkFromIndexSize(from, orders, buys.length);
        int end = from + orders;
        int at = from;
        while (at < end) {
            if (gathered == OrderBlock.ORDERS) {
                packGathered();
            }
            int some = Math.min(end - at, OrderBlock.ORDERS - gathered);
            if (some == OrderBlock.ORDERS) {
                pack(tickets, amounts, prices, buys, at);
            } else {
                System.arraycopy(tickets, at, this.tickets, gathered, some);
                System.arraycopy(amounts, at, this.amounts, gathered, some);
                System.arraycopy(prices, at, this.prices, gathered, some);
                System.arraycopy(buys, at, this.buys, gathered, some);
                gathered += some;
            }
            WRITTEN.setRelease(this, written + some);
            at += some;
        }
    }

    /** How many orders there are. */
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
     * One of them; allocates it.
     *
     * @param index from 0, in the order of writing
     * @throws IndexOutOfBoundsException if there is none
     */
    public Order get(long index) {
        while (true) {
            FullBlocks blocks = full;
            long before = blocks.orders();
            Objects.checkIndex(index, before + gathered(blocks));
            Order order;
            if (index < before) {
                order = blocks.get(index);
            } else {
                int at = (int) (index - before);
                order = new Order(tickets[at], amounts[at], prices[at], buys[at]);
            }
            if (index < before ? sameDay(blocks) : same(blocks)) {
                return order;
            }
        }
    }

    /** The balance of all orders. */
    public BigInteger dayBalance() {
        while (true) {
            FullBlocks blocks = full;
            ExactSum sum = new ExactSum();
            int last = gathered(blocks);
            for (int i = 0; i < last; i++) {
                sum.add(amounts[i], prices[i], buys[i]);
            }
            if (same(blocks)) {
                return blocks.balance().add(sum.value());
            }
        }
    }

    /** The balance of one ticket; zero if there is no order of it. */
    public BigInteger balance(int ticket) {
        while (true) {
            FullBlocks blocks = full;
            ExactSum sum = new ExactSum();
            int last = gathered(blocks);
            for (int i = 0; i < last; i++) {
                if (tickets[i] == ticket) {
                    sum.add(amounts[i], prices[i], buys[i]);
                }
            }
            if (same(blocks)) {
                BigInteger balance = blocks.balance(ticket).add(sum.value());
                if (sameDay(blocks)) {
                    return balance;
                }
            }
        }
    }

    /** Bytes outside the heap that hold orders. */
    public long bytes() {
        return memory.taken();
    }

    /** Begins a new day without orders, in the same memory. */
    public void clear() {
        gathered = 0;
        memory.clear();
        publish(FullBlocks.of(written));
    }

    /** Releases the memory; reading orders afterwards throws an {@link IllegalStateException}. */
    @Override
    public void close() {
        memory.close();
    }

    private void packGathered() {
        pack(tickets, amounts, prices, buys, 0);
        gathered = 0;
    }

    private void pack(int[] tickets, int[] amounts, int[] prices, boolean[] buys, int from) {
        FullBlocks blocks = full;
        publish(blocks.with(writer.write(tickets, amounts, prices, buys, from, blocks.balance())));
    }

    /** No later write of this thread, into the arrays or into memory given out again, is seen before this one. */
    private void publish(FullBlocks blocks) {
        full = blocks;
        VarHandle.storeStoreFence();
    }

    /**
     * How many orders lie in the arrays behind those blocks. A block that was packed from other arrays is there before
     * it is counted: then there are none. What was written may have gone beyond the arrays: then {@link #same} is
     * false.
     */
    private int gathered(FullBlocks blocks) {
        return Math.clamp((long) WRITTEN.getAcquire(this) - blocks.end(), 0, OrderBlock.ORDERS);
    }

    /** Whether nothing in the arrays was written over since those blocks were the full ones. */
    private boolean same(FullBlocks blocks) {
        VarHandle.acquireFence();
        FullBlocks now = full;
        return now.start() == blocks.start() && now.size() == blocks.size();
    }

    /** Whether none of those blocks was written over. */
    private boolean sameDay(FullBlocks blocks) {
        VarHandle.acquireFence();
        return full.start() == blocks.start();
    }
}
