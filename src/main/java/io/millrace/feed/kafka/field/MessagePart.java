package io.millrace.feed.kafka.field;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A part of a message that can become a field of its records. */
sealed interface MessagePart {

    /** Texts that name the parts, for messages. */
    String NAMES = "offset, partition, timestamp, topic, key, key-bytes, header:NAME, header-bytes:NAME or tombstone";

    /** The offset of the message. */
    record Offset() implements MessagePart {}

    /** The number of its partition. */
    record Partition() implements MessagePart {}

    /** The time that the producer or the broker has set. */
    record Timestamp() implements MessagePart {}

    /** The name of its topic. */
    record Topic() implements MessagePart {}

    /** Whether the message has no value, which says that what its key stands for was removed. */
    record Tombstone() implements MessagePart {}

    /**
     * The key, or the last header of a name.
     *
     * @param header name of the header; null for the key
     * @param isText whether it is text in UTF-8; otherwise, its bytes are those of the field
     */
    record Content(@Nullable String header, boolean isText) implements MessagePart {

        /** Returns the name of the header in UTF-8. */
        byte @Nullable [] headerBytes() {
            return header == null ? null : header.getBytes(StandardCharsets.UTF_8);
        }

        /** Returns what it is, for messages. */
        String describe() {
            return header == null ? "key" : "header '" + header + "'";
        }
    }

    /** Returns the part that a text names; null if it names none. */
    static @Nullable MessagePart parse(String text) {
        return switch (text) {
            case "offset" -> new Offset();
            case "partition" -> new Partition();
            case "timestamp" -> new Timestamp();
            case "topic" -> new Topic();
            case "tombstone" -> new Tombstone();
            case "key" -> new Content(null, true);
            case "key-bytes" -> new Content(null, false);
            default -> {
                int colon = text.indexOf(':');
                String name = text.substring(colon + 1);
                yield switch (text.substring(0, Math.max(0, colon))) {
                    case "header" -> name.isEmpty() ? null : new Content(name, true);
                    case "header-bytes" -> name.isEmpty() ? null : new Content(name, false);
                    default -> null;
                };
            }
        };
    }
}
