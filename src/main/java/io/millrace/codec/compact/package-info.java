/** The compact layout: reads records to rows, and writes records from rows. */
@NullMarked
package io.millrace.codec.compact;

import org.jspecify.annotations.NullMarked;
