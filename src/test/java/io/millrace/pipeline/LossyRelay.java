package io.millrace.pipeline;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Stands between one client and a server, sees all datagrams, and loses the first answers. */
final class LossyRelay implements AutoCloseable {

    private static final int LONGEST = 4096;

    private final DatagramSocket front;
    private final DatagramSocket back;
    private final int lost;
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private final List<String> answers = new CopyOnWriteArrayList<>();
    private volatile @Nullable SocketAddress client;

    /**
     * Begins to relay.
     *
     * @param lost how many answers, the first ones, are not passed on
     */
    LossyRelay(int port, int lost) throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        this.lost = lost;
        this.front = new DatagramSocket(new InetSocketAddress(loopback, 0));
        this.back = new DatagramSocket(new InetSocketAddress(loopback, 0));
        back.connect(new InetSocketAddress(loopback, port));
        Thread.ofVirtual().name("relay-requests").start(this::passRequests);
        Thread.ofVirtual().name("relay-answers").start(this::passAnswers);
    }

    int port() {
        return front.getLocalPort();
    }

    /** The requests that came, in hexadecimal digits. */
    List<String> requests() {
        return requests;
    }

    /** The answers that came, those that were lost too. */
    List<String> answers() {
        return answers;
    }

    private void passRequests() {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[LONGEST], LONGEST);
                front.receive(packet);
                client = packet.getSocketAddress();
                requests.add(hex(packet));
                back.send(new DatagramPacket(packet.getData(), packet.getLength()));
            }
        } catch (IOException e) {
            front.close();
        }
    }

    private void passAnswers() {
        try {
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[LONGEST], LONGEST);
                back.receive(packet);
                answers.add(hex(packet));
                if (answers.size() > lost) {
                    packet.setSocketAddress(client);
                    front.send(packet);
                }
            }
        } catch (IOException e) {
            back.close();
        }
    }

    private static String hex(DatagramPacket packet) {
        return HexFormat.of().formatHex(Arrays.copyOf(packet.getData(), packet.getLength()));
    }

    @Override
    public void close() {
        front.close();
        back.close();
    }
}
