/** Reading the messages of a partition of a Kafka topic. */
@NullMarked
package io.millrace.feed.kafka.read;

import org.jspecify.annotations.NullMarked;
