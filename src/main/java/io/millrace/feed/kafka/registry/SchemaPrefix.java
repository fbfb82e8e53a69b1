package io.millrace.feed.kafka.registry;

import io.millrace.extension.ConnectionCheck;
import io.millrace.extension.PropertyCheck;
import it.unimi.dsi.fastutil.longs.LongOpenHashSet;
import it.unimi.dsi.fastutil.longs.LongSet;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the ID of a schema before the value of each message of a partition. Creates no object for a message whose
 * schema is known. Not thread-safe.
 */
public final class SchemaPrefix {

    /** Returned in place of a number of bytes. */
    public static final int NONE = -1;

    private static final int MAX_IDS = 10_000;

    private final RegistryFormat format;
    private final int length;
    private final @Nullable SchemaRegistry registry;
    private final LongSet accepted = new LongOpenHashSet();
    private String error = "";

    /**
     * The prefixes of the messages of a topic. Thread-safe.
     *
     * @param registry where schemas are looked up; null to accept all
     */
    public record Source(RegistryFormat format, @Nullable SchemaRegistry registry) {

        /**
         * Checks the properties of a prefix. Connects to nothing.
         *
         * @return the prefixes; null if messages have none, or after an error was reported
         */
        public static @Nullable Source define(@Nullable RegistryProperties properties, PropertyCheck check) {
            if (properties == null) {
                return null;
            }
            RegistryConnection connection = RegistryConnection.define(properties, check);
            RegistryFormat format = properties.format();
            return format == null
                    ? null
                    : new Source(format, connection == null ? null : new SchemaRegistry(format, connection));
        }

        /** Checks whether the registry answers, by a request for any schema. */
        public void connect(ConnectionCheck check) throws IOException {
            if (registry != null) {
                var _ = registry.refusal(1);
                check.ok("the schema registry answers");
            }
        }

        /** Returns a reader for a partition. */
        public SchemaPrefix create() {
            return new SchemaPrefix(format, registry);
        }
    }

    /** @param registry where schemas are looked up; null to accept all */
    public SchemaPrefix(RegistryFormat format, @Nullable SchemaRegistry registry) {
        this.format = format;
        this.registry = registry;
        length = 1 + format.idLength();
    }

    /**
     * Returns the number of bytes before the value, or {@link #NONE} if only {@link #read} can find out.
     *
     * @param start index of the first byte of the message
     * @param messageLength bytes of the message
     */
    public int known(byte[] bytes, int start, int messageLength) {
        return isPresent(bytes, start, messageLength) && (registry == null || accepted.contains(id(bytes, start)))
                ? length
                : NONE;
    }

    /**
     * Returns the number of bytes before the value, or {@link #NONE} for a message that is rejected. Waits for the
     * registry if the schema is not known.
     *
     * @param start index of the first byte of the message
     * @param messageLength bytes of the message
     * @throws IOException if the registry can't be reached, or responds with an error
     */
    public int read(byte[] bytes, int start, int messageLength) throws IOException {
        if (known(bytes, start, messageLength) == length) {
            return length;
        }
        if (registry == null || !isPresent(bytes, start, messageLength)) {
            error = "the message does not begin with the ID of a schema in the format '" + format.key() + "': 0 and "
                    + format.idLength() + " bytes";
            return NONE;
        }
        long id = id(bytes, start);
        String refusal = registry.refusal(id);
        if (refusal != null) {
            error = refusal;
            return NONE;
        }
        if (accepted.size() == MAX_IDS) {
            accepted.clear();
        }
        accepted.add(id);
        return length;
    }

    /** Returns why the last message was rejected. */
    public String error() {
        return error;
    }

    private boolean isPresent(byte[] bytes, int start, int messageLength) {
        return messageLength >= length && bytes[start] == 0;
    }

    private long id(byte[] bytes, int start) {
        long id = bytes[start + 1];
        for (int i = 2; i < length; i++) {
            id = (id << Byte.SIZE) | (bytes[start + i] & 0xff);
        }
        return id;
    }
}
