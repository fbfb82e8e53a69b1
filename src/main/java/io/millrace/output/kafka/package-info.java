/** The output {@code kafka}: records as messages of a topic, exactly once. */
@NullMarked
package io.millrace.output.kafka;

import org.jspecify.annotations.NullMarked;
