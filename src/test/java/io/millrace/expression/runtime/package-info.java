/** Tests of what generated loops call while they run. */
@NullMarked
package io.millrace.expression.runtime;

import org.jspecify.annotations.NullMarked;
