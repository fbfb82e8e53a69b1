package io.millrace.store.geode.cache;

import io.millrace.background.BackgroundTask;
import io.millrace.store.error.StoreException;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.geode.DataSerializer;
import org.apache.geode.distributed.DistributedMember;
import org.apache.geode.distributed.internal.tcpserver.ClientSocketCreator;
import org.apache.geode.distributed.internal.tcpserver.HostAndPort;
import org.apache.geode.distributed.internal.tcpserver.VersionRequest;
import org.apache.geode.internal.cache.tier.MessageType;
import org.apache.geode.internal.cache.tier.sockets.ClientProxyMembershipID;
import org.apache.geode.internal.cache.tier.sockets.Handshake;
import org.apache.geode.internal.net.SocketCreatorFactory;
import org.apache.geode.internal.security.SecurableCommunicationChannel;
import org.apache.geode.internal.serialization.DSCODE;
import org.apache.geode.internal.serialization.KnownVersion;
import org.apache.geode.internal.serialization.VersioningIO;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects to the port of this process as a client does, again and again, to detect that new clients can't: a port
 * accepts connections for as long as the system queues them, also if no thread is left that would serve them. The probe
 * of a server completes a handshake; that of a locator asks for its version.
 *
 * <p>Runs on a dedicated thread. Thread-safe.
 */
public final class PortProbe implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(PortProbe.class);
    private static final Duration INTERVAL = Duration.ofSeconds(2);
    private static final int TIMEOUT_MS = 5_000;

    private static final int CLIENT_TO_SERVER = 100;
    private static final byte OK = 59;
    private static final int LOCATOR_PROTOCOL = 1002;
    private static final int NO_TRANSACTION = -1;
    private static final int PART_HEADER_BYTES = 5;

    private static final String LOCAL_HOST = "127.0.0.1";

    private final HostAndPort address;
    private final ClientSocketCreator sockets;
    private final byte[] opening;
    private final int answer;
    private final BooleanSupplier open;
    private final BackgroundTask task = new BackgroundTask("geode-port-probe");
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable String failure;

    /**
     * @param opening bytes to send
     * @param answer first byte of the answer
     */
    private PortProbe(
            ClusterOptions options,
            SecurableCommunicationChannel channel,
            byte[] opening,
            int answer,
            BooleanSupplier open) {
        this.address =
                new HostAndPort(options.bindAddress() == null ? LOCAL_HOST : options.bindAddress(), options.port());
        this.sockets =
                SocketCreatorFactory.getSocketCreatorForComponent(channel).forClient();
        this.opening = opening;
        this.answer = answer;
        this.open = open;
        task.run(this::check);
        Thread.ofPlatform().daemon().name("geode-port-probe").start(this::run);
    }

    /**
     * Starts to probe the port of a server, and returns after the first result.
     *
     * @param open returns whether the port should be open
     */
    static PortProbe ofServer(ClusterOptions options, DistributedMember self, BooleanSupplier open) {
        return new PortProbe(options, SecurableCommunicationChannel.SERVER, connection(self), OK, open);
    }

    /**
     * Starts to probe the port of a locator, and returns after the first result.
     *
     * @param open returns whether the port should be open
     */
    public static PortProbe ofLocator(ClusterOptions options, BooleanSupplier open) {
        return new PortProbe(
                options,
                SecurableCommunicationChannel.LOCATOR,
                versionRequest(),
                DSCODE.DATA_SERIALIZABLE.toByte(),
                open);
    }

    /** Returns the request by which a client of a locator begins. */
    public static byte[] versionRequest() {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeInt(LOCATOR_PROTOCOL);
            out.writeShort(KnownVersion.OLDEST.ordinal());
            DataSerializer.writeObject(new VersionRequest(), out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** Returns what a client of this version sends to connect, and then to disconnect. */
    private static byte[] connection(DistributedMember self) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        try {
            out.writeByte(CLIENT_TO_SERVER);
            VersioningIO.writeOrdinal(out, KnownVersion.CURRENT_ORDINAL, true);
            out.writeByte(OK);
            out.writeInt(TIMEOUT_MS);
            DataSerializer.writeObject(new ClientProxyMembershipID(self), out);
            out.writeByte(Handshake.CONFLATION_DEFAULT);
            out.writeByte(Handshake.CREDENTIALS_NORMAL); // those of a client follow with its first operation
            out.writeInt(MessageType.CLOSE_CONNECTION);
            out.writeInt(PART_HEADER_BYTES + 1);
            out.writeInt(1); // parts
            out.writeInt(NO_TRANSACTION);
            out.writeByte(0); // flags
            out.writeInt(1); // length of the part
            out.writeBoolean(false); // the part is not a serialized object
            out.writeBoolean(false); // the client's subscriptions do not stay
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private void run() {
        try {
            while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
                task.run(this::check);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void check() {
        String before = failure;
        String reason = probe();
        if (closed.getCount() == 0 || !open.getAsBoolean()) {
            return;
        }
        failure = reason;
        if (reason != null && before == null) {
            LOG.warn("Port does not answer: port={} reason={}", address.getPort(), reason);
        } else if (reason == null && before != null) {
            LOG.info("Port answers again: port={}", address.getPort());
        }
    }

    /** Returns why the port does not answer, or null if it does. */
    private @Nullable String probe() {
        try (Socket socket = sockets.connect(address, TIMEOUT_MS)) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.getOutputStream().write(opening);
            socket.getOutputStream().flush();
            int first = socket.getInputStream().read();
            var _ = socket.getInputStream().readAllBytes();
            return first == answer ? null : "the connection was refused";
        } catch (IOException | RuntimeException e) {
            return Causes.first(e);
        }
    }

    /**
     * Requires that the port has answered the last time.
     *
     * @throws StoreException with the reason if not
     */
    public void requireAnswer() {
        String reason = failure;
        if (reason != null) {
            throw new StoreException("Port " + address.getPort()
                    + " of this process does not answer, so clients can't connect: " + reason);
        }
    }

    /** Returns the task that probes the port, for health checks. */
    public BackgroundTask task() {
        return task;
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
