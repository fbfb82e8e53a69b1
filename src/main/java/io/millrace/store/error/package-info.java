/** Failures of the store. */
@NullMarked
package io.millrace.store.error;

import org.jspecify.annotations.NullMarked;
