package io.millrace.output.file;

import io.millrace.codec.FieldValueException;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RejectReason;
import io.millrace.codec.text.RecordWriter;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputWriter;
import io.millrace.schema.Schema;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Appends records to a file, and what it has written to a {@link PositionFile} next to it. What follows the length in
 * that one was not flushed, and is removed when the writer opens the file again. Not thread-safe.
 */
final class FileOutputWriter implements OutputWriter {

    private static final int MAX_PENDING = 1 << 20;

    private final Path file;
    private final RecordFormat format;
    private final OutputContext context;
    private final Schema schema;
    private final boolean varies;
    private final byte[] row;
    private final Pending pending = new Pending();
    private @Nullable RecordWriter records;
    private @Nullable FileChannel channel;
    private @Nullable PositionFile positions;
    /** Length of the file, as far as it was written. */
    private long length;
    /** Whether the disk has refused to confirm what was written. */
    private boolean unconfirmed;

    /** What is not in the file yet. */
    private static final class Pending extends ByteArrayOutputStream {

        ByteBuffer bytes() {
            return ByteBuffer.wrap(buf, 0, count);
        }
    }

    FileOutputWriter(Path file, RecordFormat format, OutputContext context) {
        this.file = file;
        this.format = format;
        this.context = context;
        varies = context.schema().layout().variesInLength();
        schema = context.schema().stored();
        row = new byte[varies ? 0 : schema.recordLength()];
    }

    @Override
    public long open(long epoch, long discardFrom) throws IOException {
        close();
        try {
            return openAt(discardFrom);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private long openAt(long discardFrom) throws IOException {
        Path folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        Files.createDirectories(folder);
        PositionFile known =
                PositionFile.open(file.resolveSibling(file.getFileName() + ".position"), schema.fingerprint());
        positions = known;
        PositionFile.Flushed last = known.upTo(discardFrom);
        FileChannel data = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        channel = data;
        requireOwn(data.size(), known);
        // Before anything is written, so that bytes of a file that was never flushed are known to be of this output.
        // And in this order: after a crash between both, the file is longer than its last flush, as after any other.
        known.put(last);
        data.truncate(last.length());
        length = last.length();
        unconfirmed = false;
        forceNames(folder);
        pending.reset();
        RecordWriter writer = format.writer(schema, pending);
        writer.flush();
        if (length > 0) {
            pending.reset(); // it has its header
        }
        records = writer;
        return last.position();
    }

    /** Has the disk keep the names of new files. */
    private static void forceNames(Path folder) {
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        } catch (IOException e) {
            // Windows opens no folders, and keeps names by itself.
        }
    }

    private void requireOwn(long found, PositionFile known) {
        if (found < known.last().length() || (known.isNew() && found > 0)) {
            throw new IllegalStateException("'" + file + "' has " + found + " bytes, but this output has written "
                    + known.last().length() + ". Something else has changed the file. To begin a new one, move it and"
                    + " its '.position' away.");
        }
    }

    @Override
    public void append(RecordBatch batch) throws IOException {
        RecordWriter writer = opened(records);
        if (pending.size() >= MAX_PENDING) {
            write();
        }
        int[] selection = batch.selection();
        for (int i = 0; i < batch.selected(); i++) {
            append(batch, selection[i], writer);
        }
        writer.flush();
    }

    /** Nothing here writes to the disk, so that either all records of a batch are taken or none. */
    private void append(RecordBatch batch, int ordinal, RecordWriter writer) {
        try {
            if (varies) {
                writer.write(batch.added(), batch.addedOffset(ordinal), batch.childRows(), ordinal);
            } else {
                batch.copyRecord(ordinal, row, 0, row.length);
                writer.write(row, 0, List.of(), 0);
            }
        } catch (FieldValueException | IllegalArgumentException e) {
            context.rejects()
                    .reject(
                            batch,
                            ordinal,
                            new RejectReason(RejectReason.Kind.INVALID_VALUE, String.valueOf(e.getMessage())));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
    }

    /** Writes at the known length, so that what a failed attempt has written is replaced. */
    private void write() throws IOException {
        FileChannel data = opened(channel);
        ByteBuffer bytes = pending.bytes();
        while (bytes.hasRemaining()) {
            data.write(bytes, length + bytes.position());
        }
        length += bytes.limit();
        pending.reset();
    }

    @Override
    public void flush(long position) throws IOException {
        PositionFile known = opened(positions);
        PositionFile.Flushed next = new PositionFile.Flushed(position, length + pending.size());
        if (next.equals(known.last())) {
            return;
        }
        if (pending.size() > 0) {
            write();
        }
        if (length > known.last().length()) {
            force(opened(channel));
        }
        known.put(next);
    }

    /**
     * After a failure, another attempt may succeed although the bytes are lost. They are written again from the feed.
     */
    private void force(FileChannel data) {
        String message = "The disk did not confirm what was written to '" + file + "'.";
        if (unconfirmed) {
            throw new IllegalStateException(message);
        }
        try {
            data.force(false);
        } catch (IOException e) {
            unconfirmed = true;
            throw new UncheckedIOException(message, e);
        }
    }

    private static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new IllegalStateException("The writer is not open.");
        }
        return part;
    }

    @Override
    public void close() throws IOException {
        records = null;
        FileChannel data = channel;
        PositionFile known = positions;
        channel = null;
        positions = null;
        try {
            if (data != null) {
                data.close();
            }
        } finally {
            if (known != null) {
                known.close();
            }
        }
    }
}
