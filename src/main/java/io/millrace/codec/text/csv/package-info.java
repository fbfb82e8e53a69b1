/** Records as CSV: header, lines and values. */
@NullMarked
package io.millrace.codec.text.csv;

import org.jspecify.annotations.NullMarked;
