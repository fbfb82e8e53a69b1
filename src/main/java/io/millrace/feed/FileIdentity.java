package io.millrace.feed;

import java.io.EOFException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the file of a feed was replaced by another one of the same name, overwritten or truncated, by the bytes
 * read: its first kilobyte, and the last kilobyte before the last position. A file may grow after that position, and
 * may be copied or moved; its key and its size are stored for diagnosis only.
 *
 * <pre>
 * file size=1170000 key=(dev=801,ino=4711) first=1024:9f86d081884c7d65 at=585000 last=1024:2c26b46b68ffc68f
 * </pre>
 *
 * <p>The bytes are those that the feed has read, not those that are in the file when it is identified. Otherwise a file
 * that was overwritten after it was read would be identified by its new bytes.
 *
 * <p>Allocates nothing but for an identity, and copies at most a few kilobytes per batch. Thread-safe.
 */
@API(status = API.Status.STABLE)
public final class FileIdentity {

    private final Path path;
    private @Nullable FileChannel file;
    private String key = "";
    /** The identity that was verified before the file was opened. */
    private String verified = "";

    private long openedSize;
    private final FileSample first = new FileSample();
    private final FileSample read = new FileSample();
    /** At the end of the last batch and of the one before: a batch that fails is not part of a commit. */
    private FileSample last = new FileSample();

    private FileSample previous = new FileSample();

    /** @param path of the file */
    public FileIdentity(Path path) {
        this.path = path;
    }

    /**
     * Begins to remember what is read of a file.
     *
     * @param opened the file, which stays open as long as {@link #at} is called
     * @param position at which reading begins
     * @throws FeedChangedException if the file was {@linkplain #verify verified}, but has changed since, or if reading
     *     continues where it ended, and the file does not have what was read
     * @throws EOFException if the file ends before the position
     */
    public synchronized void open(FileChannel opened, long position) throws IOException {
        file = opened;
        key = key(path);
        openedSize = opened.size();
        if (position > openedSize) {
            throw new EOFException("File '" + path + "' has " + openedSize
                    + " bytes, but its records were read up to byte " + position
                    + ". Use the file that this pipeline began with.");
        }
        requireIdentity(opened, verified);
        if (position > 0 && position == last.end()) { // continues after the source failed, perhaps in another file
            requireUnchanged(first.isIn(opened), "replaced after it was read", "begins");
            requireUnchanged(last.isIn(opened), "replaced after it was read", "continues");
        }
        first.clear();
        read.clear();
        moveTo(position);
        last.set(read);
        previous.set(read);
        verified = "";
    }

    /** Continues at a position. What comes before is what the file has there now. */
    public synchronized void moveTo(long position) throws IOException {
        if (position > opened().size()) {
            requireComplete();
        }
        if (position > first.end()) {
            first.readTo(opened(), Math.min(FileSample.MAX_BYTES, position));
        }
        read.readTo(opened(), position);
    }

    /** Remembers bytes that were read, after those before. */
    public synchronized void read(byte[] bytes, int offset, int length) {
        long known = first.end() - read.end();
        if (first.end() < FileSample.MAX_BYTES && known < length) {
            int added = (int) Math.min(FileSample.MAX_BYTES - first.end(), length - known);
            first.append(bytes, offset + (int) known, added);
        }
        read.append(bytes, offset, length);
    }

    /** Marks the end of what was read as the end of a batch. */
    public synchronized void endBatch() {
        if (read.end() > last.end()) {
            FileSample reused = previous;
            previous = last;
            last = reused;
            last.set(read);
        }
    }

    /** Returns the end of the last batch: the number of bytes before it. */
    public synchronized long endOfBatch() {
        return last.end();
    }

    /**
     * Returns the identity of what was read, if the file still has it. Implements {@link Feed#identity}.
     *
     * @param position in bytes up to which the file has been read: where reading began, or the end of one of the last
     *     two batches
     * @throws FeedChangedException if the file was overwritten or truncated after it was read
     * @throws IOException if the file cannot be read
     */
    public synchronized String at(long position) throws IOException {
        FileSample end = position == last.end() ? last : previous;
        if (position != end.end()) {
            throw new IllegalArgumentException(
                    "Position " + position + " is not the end of one of the last two batches of '" + path + "'.");
        }
        FileChannel open = opened();
        requireComplete();
        requireUnchanged(first.isIn(open), "overwritten while it was open", "begins");
        requireUnchanged(end.isIn(open), "overwritten while it was open", "continues");
        return "file size=" + open.size() + " key=" + key + " first=" + first.describe(position) + " at=" + position
                + " last=" + end.describe(position);
    }

    private void requireUnchanged(boolean unchanged, String change, String verb) throws FeedChangedException {
        if (!unchanged) {
            throw new FeedChangedException("File '" + path + "' was " + change + ": it " + verb
                    + " with other bytes than those that were read.");
        }
    }

    /**
     * Requires that the file is not shorter than before. A feed calls this at the end of the file, before it reports
     * the end.
     *
     * @throws FeedChangedException if the file was truncated after it was opened
     * @throws IOException if the file cannot be read
     */
    public synchronized void requireComplete() throws IOException {
        long size = opened().size();
        long before = Math.max(openedSize, read.end());
        if (size < before) {
            throw new FeedChangedException("File '" + path + "' was truncated while it was open: it has " + size
                    + " bytes, but had " + before + ".");
        }
    }

    private FileChannel opened() {
        FileChannel open = file;
        if (open == null) {
            throw new IllegalStateException("The feed is not open.");
        }
        return open;
    }

    /** Returns the file system's key of a file, for diagnosis; {@code null} as text if there is none. */
    private static String key(Path path) throws IOException {
        return String.valueOf(
                        Files.readAttributes(path, BasicFileAttributes.class).fileKey())
                .replace(' ', '_');
    }

    /**
     * Verifies that the file has an identity, now and when it is opened next. Implements {@link Feed#verify}.
     *
     * @param identity returned by {@link #at}; empty to skip the check
     * @throws FeedChangedException if it is another file
     * @throws IOException if the file cannot be read
     */
    public synchronized void verify(String identity) throws IOException {
        if (!identity.isEmpty()) {
            try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
                requireIdentity(channel, identity);
            }
        }
        verified = identity;
    }

    private void requireIdentity(FileChannel channel, String identity) throws IOException {
        if (identity.isEmpty()) {
            return;
        }
        Map<String, String> values = new HashMap<>();
        for (String part : identity.split(" ", -1)) {
            int end = part.indexOf('=');
            if (end > 0) {
                values.put(part.substring(0, end), part.substring(end + 1));
            }
        }
        String at = values.get("at");
        if (!identity.startsWith("file ") || at == null) {
            throw new FeedChangedException("File '" + path + "' is configured, but '" + identity + "' was read.");
        }
        long position = Long.parseLong(at);
        if (channel.size() < position) {
            throw new FeedChangedException("File '" + path + "' has " + channel.size()
                    + " bytes, but its records were read up to byte " + position + ".");
        }
        FileSample sample = new FileSample();
        sample.readTo(channel, Math.min(FileSample.MAX_BYTES, position));
        requireSame(values.get("first"), sample.describe(position), "begins");
        sample.readTo(channel, position);
        requireSame(values.get("last"), sample.describe(position), "continues");
    }

    private void requireSame(@Nullable String before, String now, String verb) throws FeedChangedException {
        if (!now.equals(before)) {
            throw new FeedChangedException("File '" + path + "' " + verb + " with other bytes than before.");
        }
    }
}
