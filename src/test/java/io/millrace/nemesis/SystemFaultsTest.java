package io.millrace.nemesis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.millrace.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SystemFaultsTest {

    private static final double MINUTE_MILLIS = 60_000;

    @TempDir
    static Path folder;

    @SuppressWarnings("NullAway.Init") // compiled before each test
    private SystemFaults faults;

    @SuppressWarnings("NullAway.Init") // started before each test
    private Process child;

    /**
     * Answers each line with the clock, the nanoseconds that passed since its start, and what a read of a file says.
     */
    static final class Child {

        private Child() {}

        public static void main(String[] arguments) throws IOException {
            long start = System.nanoTime();
            try (FileChannel feed = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.READ)) {
                while (System.in.read() >= 0) {
                    System.out.println(
                            System.currentTimeMillis() + " " + (System.nanoTime() - start) + " " + result(feed));
                }
            }
        }

        private static String result(FileChannel feed) {
            try {
                return String.valueOf(feed.position(0).read(ByteBuffer.allocate(10)));
            } catch (IOException e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    /** Answers each line with the results of four changes of a file. */
    static final class Writer {

        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            try (RandomAccessFile file = new RandomAccessFile(arguments[0], "rw")) {
                FileChannel channel = file.getChannel();
                while (System.in.read() >= 0) {
                    System.out.println(String.join(
                            ",",
                            result(() -> channel.write(ByteBuffer.allocate(10))),
                            result(() -> channel.write(ByteBuffer.allocate(10), 0)),
                            result(() ->
                                    channel.write(new ByteBuffer[] {ByteBuffer.allocate(4), ByteBuffer.allocate(6)})),
                            result(() -> {
                                file.setLength(file.length() + (1 << 20));
                                return "longer";
                            })));
                }
            }
        }

        private static String result(Callable<Object> change) {
            try {
                return String.valueOf(change.call());
            } catch (Exception e) {
                return String.valueOf(e.getMessage());
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        faults = SystemFaults.in(folder);
        start(Child.class, Files.write(folder.resolve("feed.bin"), new byte[5]));
    }

    private void start(Class<?> main, Path file) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(ChildJvm.command(main, file.toString()));
        builder.environment().putAll(faults.environment());
        child = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    @AfterEach
    void killChild() {
        child.destroyForcibly();
    }

    private String line() throws IOException {
        OutputStream input = child.getOutputStream();
        input.write('\n');
        input.flush();
        BufferedReader output = child.inputReader();
        return output.readLine();
    }

    private String[] ask() throws IOException {
        return line().split(" ", 3);
    }

    private long aheadMillis() throws IOException {
        return Long.parseLong(ask()[0]) - Instant.now().toEpochMilli();
    }

    @Test
    void shouldStepTheClockAndOnlyTheClock() throws Exception {
        Nemesis step = ClockNemesis.step(faults, Duration.ofHours(1));
        long passed = Long.parseLong(ask()[1]);
        step.start();
        assertThat((double) aheadMillis()).isCloseTo(60 * MINUTE_MILLIS, within(MINUTE_MILLIS));
        assertThat(Long.parseLong(ask()[1]) - passed)
                .isBetween(0L, Duration.ofMinutes(30).toNanos());
        step.stop();
        assertThat((double) aheadMillis()).isCloseTo(0, within(MINUTE_MILLIS));
    }

    @Test
    void shouldStepTheClockBack() throws Exception {
        ClockNemesis.step(faults, Duration.ofHours(-1)).start();
        assertThat((double) aheadMillis()).isCloseTo(-60 * MINUTE_MILLIS, within(MINUTE_MILLIS));
    }

    @Test
    void shouldLetTheClockRunFast() throws Exception {
        long before = aheadMillis();
        ClockNemesis.drift(faults, 1_000_000_000).start(); // a thousand times as fast
        long start = System.nanoTime();
        while (System.nanoTime() - start < Duration.ofMillis(100).toNanos()) {
            Thread.onSpinWait();
        }
        assertThat(aheadMillis() - before).isGreaterThan(99_000);
    }

    @Test
    void shouldLetReadsOfOneFileFail() throws Exception {
        Nemesis stale = FileNemesis.failReads(faults, folder.resolve("feed.bin"), SystemFaults.ESTALE);
        assertThat(ask()[2]).isEqualTo("5");
        stale.start();
        assertThat(ask()[2]).contains("tale file handle");
        faults.setReadError("other.bin", SystemFaults.ESTALE);
        assertThat(ask()[2]).isEqualTo("5");
        FileNemesis.failReads(faults, folder.resolve("feed.bin"), SystemFaults.EIO)
                .start();
        assertThat(ask()[2]).isEqualTo("Input/output error");
        stale.stop();
        assertThat(ask()[2]).isEqualTo("5");
    }

    @Test
    void shouldLeaveNoSpaceInOneFolder() throws Exception {
        killChild();
        Path store = Files.createDirectory(folder.resolve("store"));
        start(Writer.class, store.resolve("values"));
        String written = "10,10,10,longer";
        String refused = ",No space left on device".repeat(3);
        Nemesis full = FileNemesis.fullDisk(faults, store);
        assertThat(line()).isEqualTo(written);
        for (int i = 0; i < 2; i++) {
            full.start();
            assertThat(line()).isEqualTo("5" + refused);
            assertThat(line()).isEqualTo("No space left on device" + refused);
            full.stop();
            assertThat(line()).isEqualTo(written);
        }
        FileNemesis.fullDisk(faults, folder.resolve("other")).start();
        assertThat(line()).isEqualTo(written);
    }
}
