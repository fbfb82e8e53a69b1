/** Tests of generated classes. */
@NullMarked
package io.millrace.expression.bytecode;

import org.jspecify.annotations.NullMarked;
