package io.millrace.feed.kafka.field;

import io.millrace.feed.kafka.read.PartitionReader;
import io.millrace.feed.kafka.read.Slice;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/** Describes messages that are rejected. */
public final class MessageText {

    private static final int MAX_SHOWN = 100;
    private static final int MAX_HEADERS = 8;

    private MessageText() {}

    /**
     * Returns where a message comes from, with its key and its first headers, as a text that follows a reason, such as
     * {@code (topic trades, partition 3, offset 17, key 'A-1', header source='london')}.
     */
    public static String of(PartitionReader message, TopicPartition partition) {
        Slice key = new Slice();
        message.key(key);
        List<Header> headers = message.headers();
        return headers.stream()
                .limit(MAX_HEADERS)
                .map(header -> ", header " + header.key() + "=" + shown(header.value()))
                .collect(Collectors.joining(
                        "",
                        " (topic " + partition.topic() + ", partition " + partition.partition() + ", offset "
                                + message.offset()
                                + (key.isPresent()
                                        ? ", key "
                                                + shown(Arrays.copyOfRange(
                                                        key.bytes(), key.start(), key.start() + key.length()))
                                        : ""),
                        headers.size() > MAX_HEADERS ? ", and " + (headers.size() - MAX_HEADERS) + " headers)" : ")"));
    }

    /** Returns text in quotes, or the hexadecimal digits of bytes that are not text. */
    private static String shown(byte @Nullable [] bytes) {
        if (bytes == null) {
            return "null";
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            if (text.chars().noneMatch(Character::isISOControl)) {
                return "'" + cut(text) + "'";
            }
        } catch (CharacterCodingException _) {
            // shown as digits
        }
        return "0x" + cut(HexFormat.of().formatHex(bytes));
    }

    private static String cut(String text) {
        return text.length() <= MAX_SHOWN ? text : text.substring(0, MAX_SHOWN) + "...";
    }
}
