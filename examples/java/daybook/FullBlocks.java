package daybook;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * A snapshot of the full blocks of a book. Each new block creates another snapshot. Snapshots share the array, but each
 * reads only the blocks that existed when it was created.
 *
 * @param start number of orders written on earlier days
 * @param blocks array of blocks
 * @param size number of blocks in this snapshot
 */
record FullBlocks(long start, OrderBlock[] blocks, int size) {

    private static final int INITIAL_CAPACITY = 16;

    /** Returns a snapshot without blocks. */
    static FullBlocks of(long start) {
        return new FullBlocks(start, new OrderBlock[INITIAL_CAPACITY], 0);
    }

    FullBlocks with(OrderBlock block) {
        OrderBlock[] target = size < blocks.length ? blocks : Arrays.copyOf(blocks, 2 * size);
        target[size] = block;
        return new FullBlocks(start, target, size + 1);
    }

    /** Returns the number of orders in the blocks. */
    long orders() {
        return (long) size * OrderBlock.ORDERS;
    }

    /** Returns the number of orders written on all days, up to the last of these blocks. */
    long end() {
        return start + orders();
    }

    Order get(long index) {
        return blocks[(int) (index / OrderBlock.ORDERS)].get((int) (index % OrderBlock.ORDERS));
    }

    BigInteger balance() {
        return size == 0 ? BigInteger.ZERO : blocks[size - 1].balance();
    }

    BigInteger balance(int ticket) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < size; i++) {
            sum = sum.add(blocks[i].balance(ticket));
        }
        return sum;
    }
}
