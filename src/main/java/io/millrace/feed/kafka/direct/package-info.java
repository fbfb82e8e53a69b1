/**
 * Reading the responses of Kafka's brokers where they are, without an object for each message. It is the only package
 * that uses internal classes of Kafka's client, and is used only with a version of the client that it is known to work
 * with.
 */
@NullMarked
package io.millrace.feed.kafka.direct;

import org.jspecify.annotations.NullMarked;
