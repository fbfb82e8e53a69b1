/** Holds dashboards and alerts against what a running service tells of itself. */
@NullMarked
package io.millrace.observability;

import org.jspecify.annotations.NullMarked;
