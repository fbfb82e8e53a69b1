package io.millrace.feed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;

/**
 * Detects that a file was replaced by another one of the same name, by the bytes read: its first kilobyte, and the last
 * kilobyte before the last position. A file may grow after that position, and may be copied or moved; its key and its
 * size are stored for diagnosis only.
 *
 * <pre>
 * file size=1170000 key=(dev=801,ino=4711) first=1024:9f86d081884c7d65 at=585000 last=1024:2c26b46b68ffc68f
 * </pre>
 */
@API(status = API.Status.STABLE)
public final class FileIdentity {

    private static final int SAMPLE_BYTES = 1024;
    private static final int HASH_BYTES = 8;

    private FileIdentity() {}

    /**
     * Returns the identity of a file.
     *
     * @param file as opened: its path may refer to another file by now
     * @param key of the file when it was opened
     * @param position in bytes up to which the file has been read
     * @throws IOException if the file cannot be read
     */
    public static String of(FileChannel file, String key, long position) throws IOException {
        long end = Math.min(position, file.size());
        int first = (int) Math.min(SAMPLE_BYTES, end);
        return "file size=" + file.size() + " key=" + key + " first=" + first + ":" + hash(file, 0, first) + " at="
                + end + " last=" + first + ":" + hash(file, end - first, first);
    }

    /** Returns the file system's key of a file, for diagnosis; {@code null} as text if there is none. */
    public static String key(Path path) throws IOException {
        return String.valueOf(
                        Files.readAttributes(path, BasicFileAttributes.class).fileKey())
                .replace(' ', '_');
    }

    private static String hash(FileChannel file, long start, int length) throws IOException {
        ByteBuffer sample = ByteBuffer.allocate(length);
        while (sample.hasRemaining() && file.read(sample, start + sample.position()) >= 0) {
            // a read may return fewer bytes than requested
        }
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(sample.flip());
            return HexFormat.of().formatHex(digest.digest(), 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
    }

    /**
     * Verifies that a file has an identity.
     *
     * @param identity returned by {@link #of}; empty to skip the check
     * @throws FeedChangedException if it is another file
     * @throws IOException if the file cannot be read
     */
    public static void verify(Path path, String identity) throws IOException {
        Map<String, String> values = new HashMap<>();
        for (String part : identity.split(" ", -1)) {
            int end = part.indexOf('=');
            if (end > 0) {
                values.put(part.substring(0, end), part.substring(end + 1));
            }
        }
        String at = values.get("at");
        if (identity.isEmpty()) {
            return;
        }
        if (!identity.startsWith("file ") || at == null) {
            throw new FeedChangedException("File '" + path + "' is configured, but '" + identity + "' was read.");
        }
        long position = Long.parseLong(at);
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            if (file.size() < position) {
                throw new FeedChangedException("File '" + path + "' has " + file.size()
                        + " bytes, but its records were read up to byte " + position + ".");
            }
            int length = (int) Math.min(SAMPLE_BYTES, position);
            verify(path, values.get("first"), length + ":" + hash(file, 0, length), "begins");
            verify(path, values.get("last"), length + ":" + hash(file, position - length, length), "continues");
        }
    }

    private static void verify(Path path, @Nullable String old, String now, String verb) throws FeedChangedException {
        if (!now.equals(old)) {
            throw new FeedChangedException("File '" + path + "' " + verb + " with other bytes than before.");
        }
    }
}
