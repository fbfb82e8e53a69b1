/** Feeds of the records of a Kafka topic. */
@NullMarked
package io.millrace.feed.kafka;

import org.jspecify.annotations.NullMarked;
