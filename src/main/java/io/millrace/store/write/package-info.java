/** Writing to a store: writers and their terms, commits, and states of measures. */
@NullMarked
package io.millrace.store.write;

import org.jspecify.annotations.NullMarked;
