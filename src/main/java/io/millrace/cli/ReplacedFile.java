package io.millrace.cli;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that appears, or is replaced, all at once: it is written beside its place and moved there at the end. What is
 * no regular file, such as a pipe, is written directly, and so is the standard output, which {@code -} names. Not
 * thread-safe.
 */
final class ReplacedFile implements Closeable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Path target;
    private final Path written;
    private final OutputStream stream;

    ReplacedFile(Path target) throws IOException {
        this.target = target;
        boolean standard = StandardStreams.isMeant(target);
        boolean direct = standard || (Files.exists(target) && !Files.isRegularFile(target));
        this.written = direct ? target : target.resolveSibling("." + target.getFileName() + ".part");
        this.stream = standard
                ? StandardStreams.out()
                : new BufferedOutputStream(Files.newOutputStream(written), BUFFER_BYTES);
    }

    OutputStream stream() {
        return stream;
    }

    /** Puts the file in its place. */
    void commit() throws IOException {
        stream.close();
        if (!written.equals(target)) {
            Files.move(written, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Leaves nothing behind unless {@link #commit} came first. */
    @Override
    public void close() throws IOException {
        stream.close();
        if (!written.equals(target)) {
            Files.deleteIfExists(written);
        }
    }
}
