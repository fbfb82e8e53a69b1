/** The types of comparisons, {@code matches} and operators with lists. */
@NullMarked
package io.millrace.expression.operator;

import org.jspecify.annotations.NullMarked;
