/** Expressions in SpEL, checked against a schema and compiled to loops over the bytes of a batch. */
@NullMarked
package io.millrace.expression;

import org.jspecify.annotations.NullMarked;
