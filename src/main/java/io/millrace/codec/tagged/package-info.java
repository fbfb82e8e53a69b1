/** Reads the fields of records in the tagged layout. */
@NullMarked
package io.millrace.codec.tagged;

import org.jspecify.annotations.NullMarked;
