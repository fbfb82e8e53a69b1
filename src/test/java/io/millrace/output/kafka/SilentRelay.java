package io.millrace.output.kafka;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.common.protocol.ApiKeys;

/** Stands between clients and a broker. Can pass a commit on and lose the broker's response to it. */
final class SilentRelay implements AutoCloseable {

    private final ServerSocket front;
    private final int broker;
    private volatile boolean armed;
    private final Set<Socket> silent = ConcurrentHashMap.newKeySet();

    /** @param broker port of the broker */
    SilentRelay(int port, int broker) throws IOException {
        this.broker = broker;
        front = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("relay").start(this::accept);
    }

    /** Loses the response to the next commit or abort of a transaction, and what follows it on the same connection. */
    void loseCommit() {
        armed = true;
    }

    /** Returns whether a response was lost. */
    boolean hasLostCommit() {
        return !silent.isEmpty();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = front.accept();
                Thread.ofVirtual().start(() -> pass(client));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private void pass(Socket client) {
        try (client;
                Socket server = new Socket(InetAddress.getLoopbackAddress(), broker)) {
            Thread.ofVirtual().start(() -> pass(server, client, false, client));
            pass(client, server, true, client);
        } catch (IOException e) {
            // the broker is not running
        }
    }

    private void pass(Socket from, Socket to, boolean requests, Socket client) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            while (true) {
                byte[] frame = in.readNBytes(in.readInt());
                int api = frame[0] << 8 | frame[1];
                if (requests && armed && api == ApiKeys.END_TXN.id) {
                    armed = false;
                    silent.add(client);
                }
                if (requests || !silent.contains(client)) {
                    out.writeInt(frame.length);
                    out.write(frame);
                    out.flush();
                }
            }
        } catch (IOException e) {
            // one of both has closed the connection
        }
    }

    @Override
    public void close() throws IOException {
        front.close();
    }
}
