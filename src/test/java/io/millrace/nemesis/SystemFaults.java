package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;

/**
 * Faults of the system below a process: a wrong clock, files that can't be read, a slow or full disk, a network that is
 * slow or carries nothing in one direction, connections that lead to a proxy. A library that is loaded before all
 * others, compiled from {@code faults.c}, stands between the process and the C library. The switches lie in a file that
 * the library maps, so they act at once. Needs Linux and gcc.
 */
public final class SystemFaults {

    /** The file is on a file server that has another one in its place. */
    public static final int ESTALE = 116;

    /** The disk reports an error. */
    public static final int EIO = 5;

    private static final int CLOCK_OFFSET = 0;
    private static final int CLOCK_DRIFT = 8;
    private static final int DRIFT_SINCE = 16;
    private static final int READ_ERRNO = 24;
    private static final int WRITE_DELAY = 28;
    private static final int READ_PATH = 32;
    private static final int WRITE_PATH = 160;
    private static final int NETWORK_FAULT = 288;
    private static final int NETWORK_DELAY = 292;
    private static final int SERVER_PORT = 296;
    private static final int PROXY_PORT = 300;
    private static final int DISK_FULL = 304;
    private static final int FULL_PATH = 308;
    private static final int LENGTH = 440;

    /** What does not cross the network. */
    public enum Network {
        INTACT(0),
        NOTHING_OUT(1),
        NOTHING_IN(2);

        private final int code;

        Network(int code) {
            this.code = code;
        }
    }

    private final Path library;
    private final Path switches;
    private final ByteBuffer mapped;
    private int fullTimes;

    private SystemFaults(Path library, Path switches, ByteBuffer mapped) {
        this.library = library;
        this.switches = switches;
        this.mapped = mapped;
    }

    /** Returns whether the library can be compiled here. */
    public static boolean available() throws InterruptedException {
        try {
            return new ProcessBuilder("gcc", "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            return false; // the command does not exist
        }
    }

    /**
     * Compiles the library in a folder, with all faults off. Several processes may share its switches. Skips the test
     * if gcc is not installed.
     */
    public static SystemFaults in(Path folder) throws IOException, InterruptedException {
        assumeThat(available()).as("gcc, which compiles faults.c").isTrue();
        Path source = folder.resolve("faults.c");
        try (InputStream text = Objects.requireNonNull(SystemFaults.class.getResourceAsStream("faults.c"))) {
            Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
        }
        Path library = folder.resolve("faults.so").toAbsolutePath();
        String[] command = "gcc -std=gnu11 -Wall -Wextra -Werror -O1 -shared -fPIC -o LIBRARY SOURCE -ldl"
                .replace("LIBRARY", library.toString())
                .replace("SOURCE", source.toString())
                .split(" ");
        Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
        String errors = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(compiler.waitFor()).as(errors).isZero();
        Path switches = Files.write(folder.resolve("faults"), new byte[LENGTH]).toAbsolutePath();
        try (FileChannel file = FileChannel.open(switches, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer mapped =
                    file.map(FileChannel.MapMode.READ_WRITE, 0, LENGTH).order(ByteOrder.nativeOrder());
            return new SystemFaults(library, switches, mapped);
        }
    }

    /** Returns the variables of the environment of a process that is to have these faults. */
    public Map<String, String> environment() {
        return Map.of("LD_PRELOAD", library.toString(), "MILLRACE_FAULTS", switches.toString());
    }

    /** Lets the clock differ from the right time. Time that passes is right. */
    public void setClock(Duration ahead) {
        mapped.putLong(CLOCK_OFFSET, ahead.toNanos());
    }

    /** Lets the clock run fast from now on, or slow if negative; 0 to run right. */
    public void setDrift(long ppm) {
        // Linux's monotonic clock, which the library reads.
        mapped.putLong(CLOCK_DRIFT, 0);
        mapped.putLong(DRIFT_SINCE, System.nanoTime());
        mapped.putLong(CLOCK_DRIFT, ppm);
    }

    /**
     * Lets reads of a file fail.
     *
     * @param path part of its path
     * @param errno the error, 0 to let them succeed again
     */
    public void setReadError(String path, int errno) {
        putText(READ_PATH, path);
        mapped.putInt(READ_ERRNO, errno);
    }

    /** Lets each write to the files of a folder, and each sync, take longer. */
    public void setWriteDelay(String path, Duration delay) {
        putText(WRITE_PATH, path);
        mapped.putInt(WRITE_DELAY, Math.toIntExact(delay.toNanos() / 1000));
    }

    /** Leaves no space for writes to the files of a folder. Half of the first write is written. */
    public void setFullDisk(String path, boolean full) {
        putText(FULL_PATH, path);
        mapped.putInt(DISK_FULL, full ? ++fullTimes : 0);
    }

    /**
     * Lets nothing in or out of the process, whatever the connection. Datagrams that it sends are lost, other bytes
     * wait until the fault ends.
     */
    public void setNetwork(Network network) {
        mapped.putInt(NETWORK_FAULT, network.code);
    }

    /** Lets each portion of bytes take longer, in and out. */
    public void setNetworkDelay(Duration delay) {
        mapped.putInt(NETWORK_DELAY, Math.toIntExact(delay.toNanos() / 1000));
    }

    /** Lets each new connection to a port of a server lead to another port, such as that of a proxy. */
    public void redirect(int serverPort, int proxyPort) {
        mapped.putInt(PROXY_PORT, proxyPort);
        mapped.putInt(SERVER_PORT, serverPort);
    }

    private void putText(int at, String text) {
        byte[] bytes = (text + "\0").getBytes(StandardCharsets.UTF_8);
        assertThat(bytes.length).as(text).isLessThan(128);
        mapped.put(at, bytes);
    }
}
