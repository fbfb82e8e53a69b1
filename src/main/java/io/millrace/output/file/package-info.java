/** The output {@code file}: records as lines of text, or binary. */
@NullMarked
package io.millrace.output.file;

import org.jspecify.annotations.NullMarked;
