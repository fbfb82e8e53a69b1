/** A client that sends requests and measures response times, for {@code generate --udp}, tests and benchmarks. */
@NullMarked
package io.millrace.feed.radius.load;

import org.jspecify.annotations.NullMarked;
