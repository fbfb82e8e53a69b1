package io.millrace.feed.tcp;

import io.millrace.codec.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts the events of a feed's connections since its creation. Any thread may read. */
public final class TcpCounters {

    private final LongAdder accepted = new LongAdder();
    private final LongAdder bytes = new LongAdder();
    private final Counter records = new Counter();
    private final Map<CloseReason, LongAdder> closed = new EnumMap<>(CloseReason.class);

    TcpCounters() {
        for (CloseReason reason : CloseReason.values()) {
            closed.put(reason, new LongAdder());
        }
    }

    /** Returns the number of accepted connections, including those closed at once because there were too many. */
    public LongAdder accepted() {
        return accepted;
    }

    /** Returns the number of bytes received, including framing. */
    public LongAdder bytes() {
        return bytes;
    }

    /** Returns the number of records taken, including those of a wrong length. */
    public Counter records() {
        return records;
    }

    /** Returns the number of connections closed for a reason. */
    @SuppressWarnings("NullAway") // the map has an entry for each reason
    public LongAdder closed(CloseReason reason) {
        return closed.get(reason);
    }
}
