/** Rejected records: their format and their batches. */
@NullMarked
package io.millrace.store.reject;

import org.jspecify.annotations.NullMarked;
