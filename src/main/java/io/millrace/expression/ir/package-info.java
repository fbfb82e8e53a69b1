/** The typed intermediate representation of expressions, between their text and their bytecode. */
@NullMarked
package io.millrace.expression.ir;

import org.jspecify.annotations.NullMarked;
