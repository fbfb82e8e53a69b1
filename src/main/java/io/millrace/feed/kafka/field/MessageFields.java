package io.millrace.feed.kafka.field;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldCodecs;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.InstantCodec;
import io.millrace.codec.LongCodec;
import io.millrace.codec.StringCodec;
import io.millrace.feed.kafka.read.PartitionReader;
import io.millrace.feed.kafka.read.Slice;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Writes parts of messages to the last fields of their records:
 *
 * <pre>
 * | value of the message | timestamp | key | ... |
 * </pre>
 *
 * <p>Allocates nothing for numbers and for texts of strings; texts of other types are created. Not thread-safe.
 */
public final class MessageFields {

    private static final long NO_TIMESTAMP = -1;

    private final int valueLength;
    private final int recordLength;
    private final Part[] parts;
    /** Fields of the value, which are cleared in a record of a message without one; null if these are not accepted. */
    private final @Nullable List<FieldCodec> cleared;

    private final Slice slice = new Slice();

    /** Writes a part of a message to a field. */
    @FunctionalInterface
    private interface Part {
        /**
         * Returns why the field can't have the part, or null if it was written.
         *
         * @throws FieldValueException likewise
         */
        @Nullable
        String write(PartitionReader message, byte[] bytes, int record);
    }

    /**
     * @param schema of the records, for which the fields were {@linkplain FieldsCheck checked}
     * @param fields names of fields, each with the text that names a part; none if the value is the whole record
     * @param partition that the messages are of
     */
    public MessageFields(Schema schema, Map<String, String> fields, TopicPartition partition) {
        recordLength = schema.baseLength();
        List<Field> found = fields.keySet().stream()
                .map(name -> Objects.requireNonNull(schema.field(name)))
                .toList();
        valueLength = valueLength(schema, found);
        parts = found.stream()
                .map(field -> part(
                        FieldCodecs.of(field),
                        Objects.requireNonNull(MessagePart.parse(Objects.requireNonNull(fields.get(field.name())))),
                        partition))
                .toArray(Part[]::new);
        boolean isTombstoneWanted =
                fields.values().stream().anyMatch(part -> MessagePart.parse(part) instanceof MessagePart.Tombstone);
        cleared = isTombstoneWanted
                ? valueFields(schema, found).map(FieldCodecs::of).toList()
                : null;
    }

    /** Returns the fields that are part of the value of a message. */
    static Stream<Field> valueFields(Schema schema, Collection<Field> others) {
        int end = valueLength(schema, others);
        return schema.fields().stream().filter(field -> field.end() <= end);
    }

    /** Returns whether a message without a value has a record. */
    public boolean acceptsTombstones() {
        return cleared != null;
    }

    /** Clears the bytes of a record that are part of the value of a message, which it does not have. */
    public void clearValue(byte[] bytes, int record) {
        Arrays.fill(bytes, record, record + valueLength, (byte) 0);
        Objects.requireNonNull(cleared).forEach(codec -> codec.clear(bytes, record));
    }

    /** Returns the number of bytes before the fields. */
    static int valueLength(Schema schema, Collection<Field> fields) {
        return fields.stream().mapToInt(Field::offset).min().orElse(schema.baseLength());
    }

    /** Returns the number of bytes that a record has of the value of its message; 0 if records vary in length. */
    public int valueLength() {
        return valueLength;
    }

    /**
     * Writes the fields of a record.
     *
     * @param record index of the record's first byte
     * @return why a field can't have the part of the message, or null if all were written
     */
    public @Nullable String write(PartitionReader message, byte[] bytes, int record) {
        if (parts.length == 0) {
            return null;
        }
        Arrays.fill(bytes, record + valueLength, record + recordLength, (byte) 0);
        try {
            for (Part part : parts) {
                String error = part.write(message, bytes, record);
                if (error != null) {
                    return error;
                }
            }
            return null;
        } catch (FieldValueException e) {
            return e.getMessage();
        }
    }

    private Part part(FieldCodec codec, MessagePart part, TopicPartition partition) {
        return switch (part) {
            case MessagePart.Offset _ -> {
                LongCodec number = (LongCodec) codec;
                yield (message, bytes, record) -> {
                    number.put(bytes, record, message.offset());
                    return null;
                };
            }
            case MessagePart.Partition _ -> {
                LongCodec number = (LongCodec) codec;
                yield (_, bytes, record) -> {
                    number.put(bytes, record, partition.partition());
                    return null;
                };
            }
            case MessagePart.Tombstone _ ->
                (message, bytes, record) -> {
                    codec.setValue(bytes, record, message.length() < 0);
                    return null;
                };
            case MessagePart.Topic _ ->
                (_, bytes, record) -> {
                    codec.setText(bytes, record, partition.topic());
                    return null;
                };
            case MessagePart.Timestamp _ ->
                (message, bytes, record) -> writeTime(codec, message.timestamp(), bytes, record);
            case MessagePart.Content content -> {
                byte[] header = content.headerBytes();
                yield (message, bytes, record) -> {
                    if (header == null) {
                        message.key(slice);
                    } else {
                        message.header(header, slice);
                    }
                    return writeContent(codec, content, bytes, record);
                };
            }
        };
    }

    private static @Nullable String writeTime(FieldCodec codec, long millis, byte[] bytes, int record) {
        if (millis == NO_TIMESTAMP) {
            return writeAbsent(codec, "timestamp", bytes, record);
        }
        if (codec instanceof InstantCodec instant) {
            long units = instant.unit().convert(1, TimeUnit.MILLISECONDS);
            if (Math.multiplyHigh(millis, units) != ((millis * units) >> (Long.SIZE - 1))) {
                return FieldValueException.message(
                        codec.field(), Instant.ofEpochMilli(millis), "It is too far from 1970 for the field's unit.");
            }
            instant.putEpochUnits(bytes, record, millis * units);
        } else {
            ((LongCodec) codec).put(bytes, record, millis);
        }
        return null;
    }

    private @Nullable String writeContent(FieldCodec codec, MessagePart.Content content, byte[] bytes, int record) {
        if (!slice.isPresent()) {
            return writeAbsent(codec, content.describe(), bytes, record);
        }
        return content.isText() ? writeText(codec, bytes, record) : writeBytes(codec, bytes, record);
    }

    private static @Nullable String writeAbsent(FieldCodec codec, String part, byte[] bytes, int record) {
        if (!codec.field().optional()) {
            return "The message has no " + part + ", but field '"
                    + codec.field().name() + "' is not optional.";
        }
        codec.putAbsent(bytes, record);
        return null;
    }

    private @Nullable String writeText(FieldCodec codec, byte[] bytes, int record) {
        int all = 0;
        for (int i = slice.start(); i < slice.start() + slice.length(); i++) {
            all |= slice.bytes()[i];
        }
        boolean isAscii = all >= 0;
        if (isAscii
                && codec instanceof StringCodec string
                && string.putUtf8(bytes, record, slice.bytes(), slice.start(), slice.length(), true)) {
            return null;
        }
        try {
            ByteBuffer text = ByteBuffer.wrap(slice.bytes(), slice.start(), slice.length());
            codec.setText(bytes, record, UTF_8.newDecoder().decode(text).toString());
            return null;
        } catch (CharacterCodingException _) {
            return FieldValueException.message(codec.field(), copy(), "Use text in UTF-8.");
        }
    }

    private byte[] copy() {
        return Arrays.copyOfRange(slice.bytes(), slice.start(), slice.start() + slice.length());
    }

    private @Nullable String writeBytes(FieldCodec codec, byte[] bytes, int record) {
        Field field = codec.field();
        int width = field.type().bytes();
        if (slice.length() != width) {
            return FieldValueException.message(field, copy(), "Use " + width + " bytes, not " + slice.length() + ".");
        }
        System.arraycopy(slice.bytes(), slice.start(), bytes, record + field.offset(), width);
        return codec.isAbsent(bytes, record)
                ? FieldValueException.message(field, copy(), "Use another value: this one stands for absent.")
                : null;
    }
}
