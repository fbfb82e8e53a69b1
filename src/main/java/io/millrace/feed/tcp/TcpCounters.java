package io.millrace.feed.tcp;

import io.millrace.codec.Counter;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What a feed's connections did since it was made; any thread may ask. */
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

    /** Connections that were accepted, those among them that were closed at once for being too many. */
    public LongAdder accepted() {
        return accepted;
    }

    /** Bytes received, what frames the records among them. */
    public LongAdder bytes() {
        return bytes;
    }

    /** Records taken, those of a wrong length among them. */
    public Counter records() {
        return records;
    }

    /** Connections closed for a reason. */
    @SuppressWarnings("NullAway") // there is one for each reason
    public LongAdder closed(CloseReason reason) {
        return closed.get(reason);
    }
}
