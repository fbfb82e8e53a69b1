package io.millrace.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Ten million trades over loopback into a region of blocks in embedded Geode, all kept. Run it by {@code ./mvnw -Pbench
 * verify -Dbench=Tcp}.
 *
 * <p>The senders are in the same JVM and do next to nothing: the kernel copies from the file in the page cache. Beside
 * it: the same trades read from the file without a network, and a plain loop that reads them from a socket and drops
 * them. Times are for each trade, until the last one is stored.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 7)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-Xms4g", "-Xmx4g", "-XX:+AlwaysPreTouch"})
public class TcpBenchmark {

    /** A pipeline for each invocation. */
    abstract static class Run {
        private @Nullable TradesPipeline pipeline;

        abstract String feed();

        @Setup(Level.Invocation)
        public void open() throws IOException {
            W1Data.write();
            pipeline = new TradesPipeline(feed());
            System.gc();
        }

        @TearDown(Level.Invocation)
        public void close() {
            System.out.println("\n" + pipeline().report());
            pipeline().close();
        }

        TradesPipeline pipeline() {
            return Objects.requireNonNull(pipeline);
        }
    }

    /** From TCP. */
    @State(Scope.Benchmark)
    public static class Tcp extends Run {
        /** Connections, each with its share of the trades. */
        @Param({"1", "8"})
        private int connections;

        /** Whether senders are told what is stored. */
        @Param({"false", "true"})
        private boolean acknowledge;

        @Override
        String feed() {
            return "{ tcp: { port: 0" + (acknowledge ? ", acknowledge: { every: 1000 }" : "") + " } }";
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public void tcp(Tcp tcp) throws InterruptedException {
        tcp.pipeline().start();
        List<Thread> senders = new ArrayList<>();
        int each = W1Data.TRADES / tcp.connections;
        int port = tcp.pipeline().port();
        for (int i = 0; i < tcp.connections; i++) {
            long from = (long) i * each * W1Data.LENGTH;
            senders.add(Thread.ofPlatform().start(() -> send(port, from, (long) each * W1Data.LENGTH)));
        }
        tcp.pipeline().awaitKept(W1Data.TRADES);
        for (Thread sender : senders) {
            sender.join();
        }
    }

    /** From the file. */
    @State(Scope.Benchmark)
    public static class FromFile extends Run {
        @Override
        String feed() {
            return "{ file: " + W1Data.TRADES_FILE + " }";
        }
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public void file(FromFile file) {
        file.pipeline().start();
        file.pipeline().awaitKept(W1Data.TRADES);
    }

    @Benchmark
    @OperationsPerInvocation(W1Data.TRADES)
    public long socketAlone() throws IOException, InterruptedException {
        long bytes = (long) W1Data.TRADES * W1Data.LENGTH;
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread sender = Thread.ofPlatform().start(() -> send(server.getLocalPort(), 0, bytes));
            byte[] buffer = new byte[1 << 16];
            long received = 0;
            try (Socket socket = server.accept()) {
                int read = 0;
                while (read >= 0) {
                    received += read;
                    read = socket.getInputStream().read(buffer);
                }
            }
            sender.join();
            return received;
        }
    }

    /** Sends a part of the file, then waits until the other side has closed too. */
    private static void send(int port, long from, long length) {
        try (FileChannel file = FileChannel.open(W1Data.TRADES_FILE, StandardOpenOption.READ);
                SocketChannel socket =
                        SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))) {
            long at = from;
            while (at < from + length) {
                at += file.transferTo(at, from + length - at, socket);
            }
            socket.shutdownOutput();
            ByteBuffer answers = ByteBuffer.allocate(1 << 12);
            while (socket.read(answers.clear()) >= 0) {
                // what is stored is told elsewhere too
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
