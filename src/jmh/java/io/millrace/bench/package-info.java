/** Benchmarks: {@code ./mvnw -Pbench verify -Dbench=Filter} runs those whose names hold the word. */
@NullMarked
package io.millrace.bench;

import org.jspecify.annotations.NullMarked;
