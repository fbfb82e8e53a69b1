/** Parts of Kafka's messages that become fields of their records. */
@NullMarked
package io.millrace.feed.kafka.field;

import org.jspecify.annotations.NullMarked;
