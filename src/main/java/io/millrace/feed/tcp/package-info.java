/** Records over TCP: framing, many connections read in turn, backpressure, acknowledgements. */
@NullMarked
package io.millrace.feed.tcp;

import org.jspecify.annotations.NullMarked;
