/** Compiles typed expressions to hidden classes that loop over the bytes of a batch. */
@NullMarked
package io.millrace.expression.bytecode;

import org.jspecify.annotations.NullMarked;
