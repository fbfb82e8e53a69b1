package io.millrace.expression.bytecode;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectSink;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Two loops of the same expressions: one that computes decimals in 64 bits only, and one that continues in 128 bits.
 * The first is used until a result does not fit 64 bits. The record that caused it and all later ones go through the
 * second, since an overflow costs the first an exception and its compiled code.
 *
 * <p>Safe for use by many threads: one that does not see the other's overflow yet meets one of its own.
 */
final class AdaptiveLoop implements RecordLoop {

    private final RecordLoop wide;
    private final RecordLoop narrow;
    private boolean overflowed;

    /** @param narrow creates the loop in 64 bits, which calls {@link #overflowed} */
    AdaptiveLoop(RecordLoop wide, Function<AdaptiveLoop, RecordLoop> narrow) {
        this.wide = wide;
        this.narrow = narrow.apply(this);
    }

    @Override
    public int run(RecordBatch batch, @Nullable Object output, RejectSink rejects, int from, int to, int kept) {
        return (overflowed ? wide : narrow).run(batch, output, rejects, from, to, kept);
    }

    /** Processes the rest of a part, from the record whose result does not fit 64 bits. Called by generated code. */
    int overflowed(RecordBatch batch, @Nullable Object output, RejectSink rejects, int from, int to, int kept) {
        overflowed = true;
        return wide.run(batch, output, rejects, from, to, kept);
    }

    boolean hasOverflowed() {
        return overflowed;
    }
}
