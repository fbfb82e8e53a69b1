/** Connections to clusters of Kafka, for feeds and outputs. */
@NullMarked
package io.millrace.kafka;

import org.jspecify.annotations.NullMarked;
