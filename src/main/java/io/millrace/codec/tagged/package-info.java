/** Finds the fields of records of the tagged layout. */
@NullMarked
package io.millrace.codec.tagged;

import org.jspecify.annotations.NullMarked;
