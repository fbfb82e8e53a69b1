/** Ranges of the values of a field that a condition implies, by which blocks are skipped. */
@NullMarked
package io.millrace.expression.range;

import org.jspecify.annotations.NullMarked;
