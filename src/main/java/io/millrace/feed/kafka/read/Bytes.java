package io.millrace.feed.kafka.read;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Leaves the key or the value of a message where the client has it, without a copy. */
public final class Bytes implements Deserializer<ByteBuffer> {

    @Override
    public @Nullable ByteBuffer deserialize(String topic, byte @Nullable [] data) {
        return data == null ? null : ByteBuffer.wrap(data);
    }

    @Override
    public @Nullable ByteBuffer deserialize(String topic, Headers headers, @Nullable ByteBuffer data) {
        return data;
    }
}
