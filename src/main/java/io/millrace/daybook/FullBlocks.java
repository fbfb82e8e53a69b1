package io.millrace.daybook;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The full blocks of a book at some moment. A new one for each block; they share the array, of which each sees only
 * what was there before it.
 *
 * @param start how many orders were written on the days before
 * @param size how many blocks are seen
 */
record FullBlocks(long start, OrderBlock[] blocks, int size) {

    private static final int FIRST_ROOM = 16;

    /** None as yet. */
    static FullBlocks of(long start) {
        return new FullBlocks(start, new OrderBlock[FIRST_ROOM], 0);
    }

    FullBlocks with(OrderBlock block) {
        OrderBlock[] room = size < blocks.length ? blocks : Arrays.copyOf(blocks, 2 * size);
        room[size] = block;
        return new FullBlocks(start, room, size + 1);
    }

    /** How many orders there are in them. */
    long orders() {
        return (long) size * OrderBlock.ORDERS;
    }

    /** How many orders were written on all days, these among them. */
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
