/** Reading the IDs of schemas that stand before the values of messages, and looking them up in a schema registry. */
@NullMarked
package io.millrace.feed.kafka.registry;

import org.jspecify.annotations.NullMarked;
