/** Data for operators: meters, garbage collection, and the report in the log. */
@NullMarked
package io.millrace.metrics;

import org.jspecify.annotations.NullMarked;
