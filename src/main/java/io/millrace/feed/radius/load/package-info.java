/** A client that sends requests at a rate and measures the time to their responses, for tests and benchmarks. */
@NullMarked
package io.millrace.feed.radius.load;

import org.jspecify.annotations.NullMarked;
