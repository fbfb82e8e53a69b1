/** Registered and built-in functions, and the methods of texts, dates, instants and names. */
@NullMarked
package io.millrace.expression.function;

import org.jspecify.annotations.NullMarked;
