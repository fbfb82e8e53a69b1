package io.millrace.output.kafka;

import org.jspecify.annotations.Nullable;

/**
 * The messages that an output writes.
 *
 * @param topic name of the topic
 * @param key expression for the key of the message of a record; null for messages without keys
 * @param format what the value of a message contains
 */
record MessageForm(String topic, @Nullable String key, KafkaFormat format) {}
