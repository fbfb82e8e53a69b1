/** Feeds of generated records, for trials, tests and benchmarks. */
@NullMarked
package io.millrace.feed.generator;

import org.jspecify.annotations.NullMarked;
