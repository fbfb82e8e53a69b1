package io.millrace.daybook;

import io.millrace.memory.AppendOnlyMemory;
import io.millrace.memory.IntPacker;
import io.millrace.memory.PackedInts;
import java.math.BigInteger;

/** Makes blocks of orders. Their balance is summed here, where they are in the processor's caches. Not thread-safe. */
final class OrderBlockWriter {

    private final IntPacker packer;
    private final int[] sides;

    OrderBlockWriter(AppendOnlyMemory memory) {
        packer = new IntPacker(memory);
        sides = new int[OrderBlock.ORDERS / Integer.SIZE];
    }

    /**
     * A block of the orders that stand in four arrays.
     *
     * @param before the balance of all blocks before it
     */
    OrderBlock write(int[] tickets, int[] amounts, int[] prices, boolean[] buys, int from, BigInteger before) {
        PackedInts packedBuys = packer.pack(buys, from, sides);
        ExactSum sum = new ExactSum();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            sum.add(amounts, prices, from + bit * sides.length, sides, bit);
        }
        return new OrderBlock(
                packer.pack(tickets, from),
                packer.pack(amounts, from),
                packer.pack(prices, from),
                packedBuys,
                before.add(sum.value()));
    }
}
