package io.millrace.feed.pcap;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Reassembles IP fragments. Stores at most {@value #MAX_PAYLOADS} payloads at once, about 4 MiB. Drops the oldest one
 * if a further payload arrives, and each one that is incomplete after thirty seconds of capture time, since senders
 * reuse identifications. Not thread-safe.
 */
final class Reassembly {

    /** Maximum number of incomplete payloads. */
    static final int MAX_PAYLOADS = 64;

    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final PartialDatagram[] partial = new PartialDatagram[MAX_PAYLOADS];
    private final PcapCounters counters;

    Reassembly(PcapCounters counters) {
        this.counters = counters;
        for (int i = 0; i < MAX_PAYLOADS; i++) {
            partial[i] = new PartialDatagram();
        }
    }

    /**
     * Adds a fragment.
     *
     * @param fragment captured completely
     * @param nanos time of capture in nanoseconds since 1970
     * @return the payload that the fragment completes, valid until the next call; else null
     */
    @Nullable
    PartialDatagram add(IpPacket fragment, long nanos) {
        PartialDatagram datagram = find(fragment, nanos);
        if (datagram == null) {
            datagram = free();
            datagram.begin(fragment, nanos);
        }
        return switch (datagram.add(fragment)) {
            case WAITING -> null;
            case WHOLE -> {
                datagram.free();
                counters.reassembled.add(1);
                yield datagram;
            }
            case CONTRADICTS -> {
                drop(datagram);
                yield null;
            }
        };
    }

    /** Drops all incomplete payloads at the end of the capture. */
    void end() {
        for (PartialDatagram datagram : partial) {
            if (datagram.isUsed()) {
                drop(datagram);
            }
        }
    }

    private @Nullable PartialDatagram find(IpPacket fragment, long nanos) {
        for (PartialDatagram datagram : partial) {
            if (datagram.holds(fragment)) {
                if (nanos - datagram.sinceNanos() <= LONGEST_NANOS) {
                    return datagram;
                }
                drop(datagram);
            }
        }
        return null;
    }

    private PartialDatagram free() {
        PartialDatagram oldest = partial[0];
        for (PartialDatagram datagram : partial) {
            if (!datagram.isUsed()) {
                return datagram;
            }
            if (datagram.sinceNanos() < oldest.sinceNanos()) {
                oldest = datagram;
            }
        }
        drop(oldest);
        return oldest;
    }

    private void drop(PartialDatagram datagram) {
        datagram.free();
        counters.fragmentsDropped.add(1);
    }
}
