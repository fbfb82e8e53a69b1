package daybook;

import java.math.BigInteger;

/**
 * {@value PackedInts#COUNT} orders packed by columns. Immutable until the memory of the book is reused.
 *
 * @param tickets tickets of the orders
 * @param amounts amounts of the orders
 * @param prices prices of the orders
 * @param buys 1 if the order buys, else 0
 * @param balance balance of this block and all earlier ones
 */
record OrderBlock(PackedInts tickets, PackedInts amounts, PackedInts prices, PackedInts buys, BigInteger balance) {

    /** Number of orders in each block. */
    static final int ORDERS = PackedInts.COUNT;

    Order get(int index) {
        return new Order(tickets.get(index), amounts.get(index), prices.get(index), buys.get(index) == 1);
    }

    /** Returns the balance of one ticket in this block. */
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
