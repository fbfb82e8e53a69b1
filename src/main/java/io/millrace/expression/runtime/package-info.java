/** What generated loops call while they run: arithmetic, texts and calendar over longs and bytes. */
@NullMarked
package io.millrace.expression.runtime;

import org.jspecify.annotations.NullMarked;
