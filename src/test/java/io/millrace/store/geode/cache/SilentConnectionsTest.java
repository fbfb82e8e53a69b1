package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SilentConnectionsTest {

    private final SilentConnections silent = new SilentConnections(4, 2);

    private static class Connection extends Socket {

        private final InetAddress address;
        private final byte[] sent;
        private boolean ended;

        private Connection(int address, byte[] sent) {
            this.address = InetAddress.ofLiteral("10.0.0." + address);
            this.sent = sent;
        }

        @Override
        public InetAddress getInetAddress() {
            return address;
        }

        @Override
        public void shutdownInput() {
            ended = true;
        }

        @Override
        public void shutdownOutput() {
            // as its input
        }

        @Override
        public void close() {
            ended = true;
        }

        @Override
        public InputStream getInputStream() {
            return new ByteArrayInputStream(sent);
        }
    }

    private Connection add(int address, byte... sent) {
        Connection added = new Connection(address, sent);
        silent.add(added);
        return added;
    }

    private static List<Boolean> ended(Connection... connections) {
        return Stream.of(connections).map(connection -> connection.ended).toList();
    }

    @Test
    void shouldEndTheOldestConnectionOfAnAddress() {
        Connection other = add(1);
        Connection oldest = add(2);
        Connection second = add(2);
        Connection third = add(2);

        assertThat(ended(other, oldest, second, third)).containsExactly(false, true, false, false);
    }

    @Test
    void shouldEndTheOldestConnectionOfAll() {
        Connection oldest = add(1);
        Connection second = add(2);
        add(3);
        add(4);
        add(5);

        assertThat(ended(oldest, second)).containsExactly(true, false);
    }

    @Test
    void shouldKeepConnectionsThatHaveSentSomething() {
        Connection sending = add(1, (byte) 100);
        Connection silentOne = add(1);
        Connection sent = add(1, (byte) 100);

        assertThat(ended(sending, silentOne, sent)).containsExactly(false, true, false);
    }

    @Test
    void shouldEndFurtherConnectionsIfManyWaitToBeServed() {
        List<Connection> waiting = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            waiting.add(add(1, (byte) 100));
        }
        assertThat(waiting).noneMatch(connection -> connection.ended);
        assertThat(add(1, (byte) 100).ended).isTrue();
        for (int i = 0; i < 8; i++) {
            waiting.add(add(2 + i, (byte) 100));
        }
        assertThat(waiting).noneMatch(connection -> connection.ended);
        assertThat(add(20, (byte) 100).ended).isTrue();

        silent.remove(waiting.getLast());
        assertThat(add(21, (byte) 100).ended).isFalse();
    }

    @Test
    void shouldNotCountConnectionsThatWereServed() {
        Connection served = add(1);
        assertThat(silent.remove(served)).isTrue();
        Connection first = add(1);
        Connection second = add(1);

        assertThat(ended(served, first, second)).containsExactly(false, false, false);
    }

    /** A connection whose monitor a thread holds while it removes the connection, as the one of a handshake does. */
    @Test
    void shouldNotUseConnectionsWhileItIsLocked() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        Connection handshaking = new Connection(1, new byte[0]) {
            @Override
            public InputStream getInputStream() {
                asked.countDown();
                synchronized (this) {
                    return super.getInputStream();
                }
            }
        };
        silent.add(handshaking);
        add(1);
        CountDownLatch held = new CountDownLatch(1);
        Thread handshake = Thread.ofPlatform().daemon().start(() -> {
            synchronized (handshaking) {
                held.countDown();
                Latches.await(asked);
                silent.remove(handshaking);
            }
        });
        held.await();
        Thread acceptor = Thread.ofPlatform().daemon().start(() -> add(1));

        await().until(() -> !handshake.isAlive() && !acceptor.isAlive());
        assertThat(handshaking.ended).isFalse();
    }

    private static final class Latches {

        static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
