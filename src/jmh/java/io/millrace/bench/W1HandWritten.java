package io.millrace.bench;

import io.millrace.codec.RawBytes;
import java.util.ArrayList;
import java.util.List;

/**
 * W1 as one would write it by hand for just these records: one loop from the bytes into packed blocks, which it keeps.
 * No channels, no store, no checks.
 */
final class W1HandWritten {

    private static final int BLOCK_RECORDS = 4096;
    private static final int ADDED = 16;

    private final boolean keepAdded;
    private final int stride;
    private final long[] desks;
    private final List<byte[]> blocks = new ArrayList<>();
    private final byte[] notKept = new byte[BLOCK_RECORDS * ADDED];

    /** @param keepAdded whether desk and notional are kept with the trade, or only computed */
    W1HandWritten(boolean keepAdded) {
        this.keepAdded = keepAdded;
        this.stride = W1Data.LENGTH + (keepAdded ? ADDED : 0);
        this.desks = new long[W1Data.DESKS];
        for (int key = 0; key < W1Data.DESKS; key++) {
            desks[key] = W1Data.desk(key);
        }
    }

    /** Works the trades; returns the blocks, full ones and the last two. */
    List<byte[]> run(byte[] trades) {
        return run(trades, 0, trades.length);
    }

    /** Works some of the trades. */
    List<byte[]> run(byte[] trades, int from, int to) {
        blocks.clear();
        byte[] buys = new byte[BLOCK_RECORDS * stride];
        byte[] sells = new byte[BLOCK_RECORDS * stride];
        int buysAt = 0;
        int sellsAt = 0;
        int end = BLOCK_RECORDS * stride;
        int computed = 0;
        for (int at = from; at < to; at += W1Data.LENGTH) {
            if (!W1Data.large(trades, at)) {
                continue;
            }
            long desk = desks[(int) (RawBytes.getLong(trades, at) % W1Data.DESKS)];
            double notional = W1Data.notional(trades, at);
            boolean buy = W1Data.buy(trades, at);
            byte[] into = buy ? buys : sells;
            int next = buy ? buysAt : sellsAt;
            copy(trades, at, into, next);
            if (keepAdded) {
                putAdded(into, next + W1Data.LENGTH, desk, notional);
            } else {
                putAdded(notKept, computed, desk, notional);
                computed = computed + ADDED == notKept.length ? 0 : computed + ADDED;
            }
            if (buy) {
                buysAt += stride;
                if (buysAt == end) {
                    blocks.add(buys);
                    buys = new byte[end];
                    buysAt = 0;
                }
            } else {
                sellsAt += stride;
                if (sellsAt == end) {
                    blocks.add(sells);
                    sells = new byte[end];
                    sellsAt = 0;
                }
            }
        }
        blocks.add(buys);
        blocks.add(sells);
        return blocks;
    }

    /** Five words, the last overlapping the one before it: quicker than a call for 39 bytes. */
    private static void copy(byte[] from, int at, byte[] into, int to) {
        RawBytes.putLongLe(into, to, RawBytes.getLongLe(from, at));
        RawBytes.putLongLe(into, to + 8, RawBytes.getLongLe(from, at + 8));
        RawBytes.putLongLe(into, to + 16, RawBytes.getLongLe(from, at + 16));
        RawBytes.putLongLe(into, to + 24, RawBytes.getLongLe(from, at + 24));
        RawBytes.putLongLe(into, to + 31, RawBytes.getLongLe(from, at + 31));
    }

    private static void putAdded(byte[] into, int at, long desk, double notional) {
        RawBytes.putLong(into, at, desk);
        RawBytes.putLong(into, at + 8, Double.doubleToRawLongBits(notional));
    }
}
