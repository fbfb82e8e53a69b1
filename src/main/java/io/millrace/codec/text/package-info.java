/** Converts records to text files and back. */
@NullMarked
package io.millrace.codec.text;

import org.jspecify.annotations.NullMarked;
