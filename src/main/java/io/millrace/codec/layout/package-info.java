/** Looks up what reads the records of a layout. */
@NullMarked
package io.millrace.codec.layout;

import org.jspecify.annotations.NullMarked;
