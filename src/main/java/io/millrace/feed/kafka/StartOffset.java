package io.millrace.feed.kafka;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** The first offset of a partition for a pipeline that has not read it. */
sealed interface StartOffset {

    /** The first message that the broker has. */
    record Earliest() implements StartOffset {}

    /** The next message. */
    record Latest() implements StartOffset {}

    /** The first message with a timestamp, or a later one. */
    record Since(Instant time) implements StartOffset {}

    /** Returns the start that a text describes; null if it describes none. */
    static @Nullable StartOffset parse(String text) {
        return switch (text) {
            case "earliest" -> new Earliest();
            case "latest" -> new Latest();
            default -> {
                try {
                    yield new Since(Instant.parse(text));
                } catch (DateTimeException e) {
                    yield null;
                }
            }
        };
    }

    /** Asks the broker for the offset. */
    default long of(Consumer<?, ?> consumer, TopicPartition partition, Duration timeout) {
        return switch (this) {
            case Earliest _ -> earliest(consumer, partition, timeout);
            case Latest _ -> latest(consumer, partition, timeout);
            case Since since -> {
                OffsetAndTimestamp found = consumer.offsetsForTimes(
                                Map.of(partition, since.time().toEpochMilli()), timeout)
                        .get(partition);
                yield found == null ? latest(consumer, partition, timeout) : found.offset();
            }
        };
    }

    static long earliest(Consumer<?, ?> consumer, TopicPartition partition, Duration timeout) {
        return Objects.requireNonNull(
                consumer.beginningOffsets(List.of(partition), timeout).get(partition));
    }

    static long latest(Consumer<?, ?> consumer, TopicPartition partition, Duration timeout) {
        return Objects.requireNonNull(
                consumer.endOffsets(List.of(partition), timeout).get(partition));
    }
}
