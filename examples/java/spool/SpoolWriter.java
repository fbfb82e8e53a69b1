package spool;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.SYNC;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import io.millrace.codec.RecordBatch;
import io.millrace.output.OutputWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/**
 * Writes a file for each flush, whose name is the position in the feed up to which all files together have received
 * everything. A file appears whole or not at all, so its records and its position are stored together. Programs that
 * have read a file may delete it if it is not the last one.
 */
final class SpoolWriter implements OutputWriter {

    private static final String ENDING = ".bin";
    private static final String LAST = "last";

    private final Path folder;
    private final byte[] record;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private long flushed;

    SpoolWriter(Path folder, int recordLength) {
        this.folder = folder;
        this.record = new byte[recordLength];
    }

    @Override
    public long open(long epoch, long discardFrom) throws IOException {
        pending.reset();
        Files.createDirectories(folder);
        List<Long> positions = positions();
        while (!positions.isEmpty() && positions.getLast() > discardFrom) {
            Files.delete(file(positions.removeLast()));
        }
        flushed = positions.isEmpty() ? 0 : positions.getLast();
        return flushed;
    }

    private List<Long> positions() throws IOException {
        List<Long> positions = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (name.endsWith(ENDING)) {
                    positions.add(Long.parseLong(name.substring(0, name.length() - ENDING.length())));
                }
            }
        }
        Collections.sort(positions);
        return positions;
    }

    private Path file(long position) {
        return folder.resolve("%019d%s".formatted(position, ENDING));
    }

    @Override
    public void append(RecordBatch batch) {
        for (int i = 0; i < batch.selected(); i++) {
            batch.copyRecord(batch.selection()[i], record, 0, record.length);
            pending.write(record, 0, record.length);
        }
    }

    @Override
    public void flush(long position) throws IOException {
        if (position == flushed && pending.size() == 0) {
            return;
        }
        Path written = folder.resolve(LAST);
        try (OutputStream out = Files.newOutputStream(written, CREATE, TRUNCATE_EXISTING, WRITE, SYNC)) {
            if (Files.exists(file(position))) {
                Files.copy(file(position), out); // records without a position follow
            }
            pending.writeTo(out);
        }
        Files.move(written, file(position), StandardCopyOption.ATOMIC_MOVE);
        pending.reset();
        flushed = position;
    }
}
