package io.millrace.daybook;

import io.millrace.memory.PackedInts;
import java.math.BigInteger;

/**
 * {@value PackedInts#COUNT} orders by columns, packed. Immutable as long as the book's memory is not given out again.
 *
 * @param buys 1 if the order buys, else 0
 * @param balance of this block's orders and all before it
 */
record OrderBlock(PackedInts tickets, PackedInts amounts, PackedInts prices, PackedInts buys, BigInteger balance) {

    /** How many orders there are in each. */
    static final int ORDERS = PackedInts.COUNT;

    Order get(int index) {
        return new Order(tickets.get(index), amounts.get(index), prices.get(index), buys.get(index) == 1);
    }

    /** The balance of one ticket in this block. */
    BigInteger balance(int ticket) {
        if (!tickets.mayHold(ticket)) {
            return BigInteger.ZERO;
        }
        ExactSum sum = new ExactSum();
        for (int i = 0; i < ORDERS; i++) {
            if (tickets.get(i) == ticket) {
                sum.add(amounts.get(i), prices.get(i), buys.get(i) == 1);
            }
        }
        return sum.value();
    }
}
