package daybook;

import java.math.BigInteger;

/** Packs orders into blocks. Sums their balance at the same time, while they are in the CPU caches. Not thread-safe. */
final class OrderBlockWriter {

    private final IntPacker packer;
    private final int[] sides;

    OrderBlockWriter(AppendOnlyMemory memory) {
        packer = new IntPacker(memory);
        sides = new int[OrderBlock.ORDERS / Integer.SIZE];
    }

    /**
     * Packs the orders in four arrays into a block.
     *
     * @param start index of the first order
     * @param balanceBefore balance of all earlier blocks
     */
    OrderBlock write(int[] tickets, int[] amounts, int[] prices, boolean[] buys, int start, BigInteger balanceBefore) {
        PackedInts packedBuys = packer.pack(buys, start, sides);
        ExactSum sum = new ExactSum();
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            sum.add(amounts, prices, start + bit * sides.length, sides, bit);
        }
        return new OrderBlock(
                packer.pack(tickets, start),
                packer.pack(amounts, start),
                packer.pack(prices, start),
                packedBuys,
                balanceBefore.add(sum.value()));
    }
}
