package io.millrace.nemesis;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Nemeses of files: those of a feed, a configuration, a table, or a data folder. Each restores the file at the end. */
public final class FileNemesis {

    private static final byte[] MEGABYTE = new byte[1 << 20];
    private static final int PAGE = 4096;
    /** Pages of a file that the system may not have written yet. */
    private static final int UNWRITTEN_PAGES = 16;

    private FileNemesis() {}

    /** Writes other bytes into the file, as {@code cp} does. */
    public static Nemesis overwrite(Path file, byte[] bytes) {
        Content content = new Content(file);
        return Nemesis.of("overwritten " + name(file), () -> content.write(bytes), content::restore);
    }

    /** Shortens the file, as {@code copytruncate} does. */
    public static Nemesis truncate(Path file, long length) {
        Content content = new Content(file);
        return Nemesis.of("truncated " + name(file), () -> content.truncate(length), content::restore);
    }

    /** Flips a bit of the file. */
    public static Nemesis flipBit(Path file, long seed) {
        Random random = new Random(seed);
        Content content = new Content(file);
        return Nemesis.of("flipped bit of " + name(file), () -> content.flipBit(random), content::restore);
    }

    /** Zeros a page near the end of what is written, and leaves those behind it, as the loss of power can. */
    public static Nemesis zeroPage(Path file, long seed) {
        Random random = new Random(seed);
        Content content = new Content(file);
        return Nemesis.of("zeroed page of " + name(file), () -> content.zeroPage(random), content::restore);
    }

    /** Cuts the file near the end of what is written, as the loss of power can before its last pages are written. */
    public static Nemesis cutEnd(Path file, long seed) {
        Random random = new Random(seed);
        Content content = new Content(file);
        return Nemesis.of("cut end of " + name(file), () -> content.cutEnd(random), content::restore);
    }

    /** Returns the end of what is written to a file, behind which it has only zeros. */
    public static int writtenLength(Path file) throws IOException {
        return writtenLength(Files.readAllBytes(file));
    }

    private static int writtenLength(byte[] bytes) {
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return length;
    }

    /** Gives the file another name. */
    public static Nemesis rename(Path file) {
        Path other = file.resolveSibling(name(file) + ".renamed");
        return Nemesis.of(
                "renamed " + name(file),
                () -> Files.move(file, other),
                () -> Files.move(other, file, StandardCopyOption.REPLACE_EXISTING));
    }

    /** Replaces the file by another one, as {@code mv} does: a stale, newer or different configuration, or a table. */
    public static Nemesis replace(Path file, String text) {
        Path before = file.resolveSibling(name(file) + ".before");
        return Nemesis.of(
                "replaced " + name(file),
                () -> {
                    Files.copy(file, before, StandardCopyOption.REPLACE_EXISTING);
                    replaceNow(file, text);
                },
                () -> Files.move(before, file, StandardCopyOption.ATOMIC_MOVE));
    }

    /** Replaces the file again and again, for example a table by rows that differ. */
    public static Nemesis replaceRepeatedly(Path file, int maxPauseMillis, long seed, Supplier<String> texts) {
        return Nemesis.repeated("changing " + name(file), maxPauseMillis, seed, () -> replaceNow(file, texts.get()));
    }

    /** Replaces the file at once, so that a reader sees the old or the new text. */
    public static void replaceNow(Path file, String text) throws IOException {
        Path next = Files.writeString(file.resolveSibling(name(file) + ".next"), text);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Lets reads of the file fail. */
    public static Nemesis failReads(SystemFaults faults, Path file, int errno) {
        String path = name(file);
        return Nemesis.of(
                "error " + errno + " of " + path,
                () -> faults.setReadError(path, errno),
                () -> faults.setReadError(path, 0));
    }

    /** Makes writes to the files of a folder slow. */
    public static Nemesis slowWrites(SystemFaults faults, Path folder, Duration delay) {
        String path = "/" + name(folder) + "/";
        return Nemesis.of(
                "slow disk " + name(folder),
                () -> faults.setWriteDelay(path, delay),
                () -> faults.setWriteDelay(path, Duration.ZERO));
    }

    /** Leaves no space for writes to the files of a folder. */
    public static Nemesis fullDisk(SystemFaults faults, Path folder) {
        String path = "/" + name(folder) + "/";
        return Nemesis.of(
                "full disk " + name(folder),
                () -> faults.setFullDisk(path, true),
                () -> faults.setFullDisk(path, false));
    }

    /** Takes all space that is left on the disk of a file that does not exist. */
    public static Nemesis fillDisk(Path ballast) {
        return Nemesis.of("full disk", () -> fill(ballast), () -> Files.delete(ballast));
    }

    private static void fill(Path ballast) throws IOException {
        try (OutputStream file = Files.newOutputStream(ballast)) {
            while (true) {
                file.write(MEGABYTE);
            }
        } catch (IOException e) {
            if (!String.valueOf(e.getMessage()).contains("No space left on device")) {
                throw e;
            }
        }
    }

    /** Returns the largest file of a folder with this ending: the one with most of the values of a data folder. */
    public static Path largest(Path folder, String ending) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> found = files.filter(file -> name(file).endsWith(ending)).toList();
            return found.stream()
                    .max(Comparator.comparingLong(file -> file.toFile().length()))
                    .orElseThrow();
        }
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    /** The content of a file that is changed in place. */
    private static final class Content {

        private final Path file;
        private byte[] before = {};

        Content(Path file) {
            this.file = file;
        }

        private void read() throws IOException {
            before = Files.readAllBytes(file);
        }

        void write(byte[] bytes) throws IOException {
            read();
            Files.write(file, bytes);
        }

        void truncate(long length) throws IOException {
            read();
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(length);
            }
        }

        void flipBit(Random random) throws IOException {
            read();
            int at = random.nextInt(before.length);
            byte flipped = (byte) (before[at] ^ 1 << random.nextInt(8));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[] {flipped}), at);
            }
        }

        void zeroPage(Random random) throws IOException {
            read();
            int last = Math.max(0, writtenLength(before) - 1) / PAGE;
            int page = Math.max(0, last - 1 - random.nextInt(UNWRITTEN_PAGES));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.allocate(Math.min(PAGE, before.length)), (long) page * PAGE);
            }
        }

        void cutEnd(Random random) throws IOException {
            read();
            int written = writtenLength(before);
            int missing = 1 + random.nextInt(Math.min(written, UNWRITTEN_PAGES * PAGE));
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(written - missing);
            }
        }

        void restore() throws IOException {
            Files.write(file, before);
        }
    }
}
