/** The typed form that an expression has between its text and its machine code. */
@NullMarked
package io.millrace.expression.ir;

import org.jspecify.annotations.NullMarked;
