package io.millrace.store.geode.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SilentConnectionsTest {

    private final SilentConnections silent = new SilentConnections(4, 2);

    private static final class Connection extends Socket {

        private final InetAddress address;
        private final byte[] sent;

        private Connection(int address, byte[] sent) {
            this.address = InetAddress.ofLiteral("10.0.0." + address);
            this.sent = sent;
        }

        @Override
        public InetAddress getInetAddress() {
            return address;
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
        return Stream.of(connections).map(Socket::isClosed).toList();
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
    void shouldNotCountConnectionsThatWereServed() {
        Connection served = add(1);
        silent.remove(served);
        Connection first = add(1);
        Connection second = add(1);

        assertThat(ended(served, first, second)).containsExactly(false, false, false);
    }
}
