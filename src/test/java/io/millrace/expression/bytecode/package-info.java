/** Tests of generated classes and of what they call. */
@NullMarked
package io.millrace.expression.bytecode;

import org.jspecify.annotations.NullMarked;
