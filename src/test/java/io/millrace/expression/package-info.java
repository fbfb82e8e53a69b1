/** Tests of rules: what compiles, what is refused, and that it means what stock SpEL means. */
@NullMarked
package io.millrace.expression;

import org.jspecify.annotations.NullMarked;
