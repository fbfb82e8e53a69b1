/** Records over TCP: framing, round-robin reads of many connections, backpressure, acknowledgements. */
@NullMarked
package io.millrace.feed.tcp;

import org.jspecify.annotations.NullMarked;
