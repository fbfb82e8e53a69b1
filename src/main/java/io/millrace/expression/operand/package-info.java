/** Constants, numbers, texts and names as operands: their conversion to a common type and raw form. */
@NullMarked
package io.millrace.expression.operand;

import org.jspecify.annotations.NullMarked;
