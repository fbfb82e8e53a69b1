/** Feeds of made-up records, for trials, tests and benchmarks. */
@NullMarked
package io.millrace.feed.generator;

import org.jspecify.annotations.NullMarked;
