package io.millrace.cli.file;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A file that is created or replaced atomically: a temporary file in the same folder is written, then moved to the
 * target. The standard output, {@code -}, and files that are not regular, such as pipes, are written directly. Not
 * thread-safe.
 */
public final class ReplacedFile implements Closeable {

    private static final int BUFFER_BYTES = 1 << 16;

    private final Path target;
    private final Path written;
    private final OutputStream stream;

    public ReplacedFile(Path target) throws IOException {
        this.target = target;
        boolean standard = StandardStreams.isMeant(target);
        boolean direct = standard || (Files.exists(target) && !Files.isRegularFile(target));
        this.written = direct ? target : target.resolveSibling("." + target.getFileName() + ".part");
        this.stream = standard
                ? StandardStreams.out()
                : new BufferedOutputStream(Files.newOutputStream(written), BUFFER_BYTES);
    }

    public OutputStream stream() {
        return stream;
    }

    /** Moves the written file to the target. */
    public void commit() throws IOException {
        stream.close();
        if (!written.equals(target)) {
            Files.move(written, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Deletes the written file unless {@link #commit} was called. */
    @Override
    public void close() throws IOException {
        stream.close();
        if (!written.equals(target)) {
            Files.deleteIfExists(written);
        }
    }
}
