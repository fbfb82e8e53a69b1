package io.millrace.feed.pcap;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts IP fragments together again. Holds at most {@value #MOST} payloads at once, about 4 MiB: the oldest is given up
 * for one more, as is each whose fragments did not come within thirty seconds of the capture's time, since senders use
 * their identifications again. Not thread-safe.
 */
final class Reassembly {

    /** The most payloads that wait for fragments. */
    static final int MOST = 64;

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final PartialDatagram[] partial = new PartialDatagram[MOST];
    private final PcapCounters counters;

    Reassembly(PcapCounters counters) {
        this.counters = counters;
        for (int i = 0; i < MOST; i++) {
            partial[i] = new PartialDatagram();
        }
    }

    /**
     * Adds a fragment.
     *
     * @param fragment all of it captured
     * @param nanos when, in nanoseconds since 1970
     * @return the payload that is whole with it, good until the next call; else null
     */
    @Nullable
    PartialDatagram add(IpPacket fragment, long nanos) {
        PartialDatagram one = find(fragment, nanos);
        if (one == null) {
            one = free();
            one.begin(fragment, nanos);
        }
        return switch (one.add(fragment)) {
            case WAITING -> null;
            case WHOLE -> {
                one.free();
                counters.reassembled.add(1);
                yield one;
            }
            case CONTRADICTS -> {
                drop(one);
                yield null;
            }
        };
    }

    /** Gives up all that is not whole: nothing more will come. */
    void end() {
        for (PartialDatagram one : partial) {
            if (one.isUsed()) {
                drop(one);
            }
        }
    }

    private @Nullable PartialDatagram find(IpPacket fragment, long nanos) {
        for (PartialDatagram one : partial) {
            if (one.holds(fragment)) {
                if (nanos - one.sinceNanos() <= LONGEST_NANOS) {
                    return one;
                }
                drop(one);
            }
        }
        return null;
    }

    private PartialDatagram free() {
        PartialDatagram oldest = partial[0];
        for (PartialDatagram one : partial) {
            if (!one.isUsed()) {
                return one;
            }
            if (one.sinceNanos() < oldest.sinceNanos()) {
                oldest = one;
            }
        }
        drop(oldest);
        return oldest;
    }

    private void drop(PartialDatagram one) {
        one.free();
        counters.fragmentsDropped.add(1);
    }
}
