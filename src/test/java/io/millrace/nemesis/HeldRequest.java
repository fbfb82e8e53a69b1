package io.millrace.nemesis;

import static org.awaitility.Awaitility.await;

import io.millrace.nemesis.NetworkNemesis.Direction;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A request that a {@link NetworkNemesis} holds back until it is released: the first one that contains some bytes.
 * Thread-safe.
 */
public final class HeldRequest {

    private final byte[] content;
    private volatile @Nullable ProxiedConnection connection;
    private volatile long answeredBefore;

    /** @param content bytes that the request contains */
    public HeldRequest(byte[] content) {
        this.content = content.clone();
    }

    /** Returns the number of bytes to keep of what was read before, so that content in two pieces is found. */
    int overlap() {
        return content.length - 1;
    }

    /** Holds the connection if the bytes contain the request and it was not found before. */
    synchronized boolean take(ProxiedConnection of, byte[] bytes) {
        if (connection != null || !contains(bytes)) {
            return false;
        }
        answeredBefore = of.answeredBytes();
        of.hold(Direction.TO_SERVER);
        connection = of;
        return true;
    }

    private boolean contains(byte[] bytes) {
        for (int start = 0; start + content.length <= bytes.length; start++) {
            int length = 0;
            while (length < content.length && bytes[start + length] == content[length]) {
                length++;
            }
            if (length == content.length) {
                return true;
            }
        }
        return false;
    }

    /** Waits until the request has been sent, and is held. */
    public void awaitHeld() {
        await().until(() -> connection != null);
    }

    /** Lets the request arrive, also if its sender has closed the connection. */
    public void release() {
        Objects.requireNonNull(connection).release(Direction.TO_SERVER);
    }

    /** Waits until the server has answered the request after its release, or has ended its connection. */
    public void awaitAnswer() {
        ProxiedConnection of = Objects.requireNonNull(connection);
        await().until(() -> of.answeredBytes() > answeredBefore || of.endedByServer());
    }
}
