/** Errors of expressions: their codes, their places in the text, and what is too large. */
@NullMarked
package io.millrace.expression.error;

import org.jspecify.annotations.NullMarked;
