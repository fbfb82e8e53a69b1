package io.millrace.feed.kafka.read;

import java.nio.ByteBuffer;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.Deserializer;
import org.jspecify.annotations.Nullable;

/** Leaves the value of a message where the client has it, without a copy. */
public final class Bytes implements Deserializer<ByteBuffer> {

    @Override
    public @Nullable ByteBuffer deserialize(String topic, byte @Nullable [] data) {
        return data == null ? null : ByteBuffer.wrap(data);
    }

    @Override
    public @Nullable ByteBuffer deserialize(String topic, Headers headers, @Nullable ByteBuffer data) {
        return data;
    }

    /** Does not read the key. */
    public static final class Skipped implements Deserializer<byte[]> {

        private static final byte[] NONE = {};

        @Override
        public byte[] deserialize(String topic, byte @Nullable [] data) {
            return NONE;
        }

        @Override
        public byte[] deserialize(String topic, Headers headers, @Nullable ByteBuffer data) {
            return NONE;
        }
    }
}
