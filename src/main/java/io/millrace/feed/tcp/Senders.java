package io.millrace.feed.tcp;

import io.millrace.feed.FairShare;
import io.millrace.feed.SourceNetwork;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits the connections of each source address and of all together. Stores an address as long as it has a connection.
 * Thread-safe; takes a lock when a connection is opened or closed, never for a record.
 */
final class Senders {

    /** Stands for connections without a known address, as they were reset at once. */
    private static final SourceNetwork UNKNOWN = new SourceNetwork(0, 0);

    private final int maxOfAll;
    private final int maxEach;
    private final FairShare share;
    private final Map<SourceNetwork, Sender> senders = new HashMap<>();
    private int open;

    /**
     * @param maxOfAll maximum number of connections
     * @param maxEach maximum number of connections of one address
     * @param share of the connections that one address may use of what others leave free
     */
    Senders(int maxOfAll, int maxEach, FairShare share) {
        this.maxOfAll = maxOfAll;
        this.maxEach = maxEach;
        this.share = share;
    }

    /** Returns the number of connections of all senders. */
    synchronized int open() {
        return open;
    }

    /**
     * Counts a new connection and returns its sender, or null if the sender or all senders have too many.
     *
     * @param refused receives the reason if the result is null
     */
    @Nullable
    synchronized Sender admit(@Nullable SocketAddress address, Consumer<CloseReason> refused) {
        SourceNetwork network = network(address);
        Sender sender = senders.get(network);
        int held = sender == null ? 0 : sender.open();
        if (held >= maxEach || !share.admits(maxOfAll, open, held, 1)) {
            refused.accept(open >= maxOfAll ? CloseReason.TOO_MANY : CloseReason.TOO_MANY_FROM_ADDRESS);
            return null;
        }
        if (sender == null) {
            sender = new Sender(network);
            senders.put(network, sender);
        }
        sender.opened(1);
        open++;
        return sender;
    }

    /** Counts a closed connection. */
    synchronized void release(Sender sender) {
        sender.opened(-1);
        open--;
        if (sender.open() == 0) {
            senders.remove(sender.network());
        }
    }

    private static SourceNetwork network(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress internet && internet.getAddress() != null
                ? SourceNetwork.of(internet.getAddress())
                : UNKNOWN;
    }
}
