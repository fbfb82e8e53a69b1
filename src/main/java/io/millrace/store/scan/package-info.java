/** Execution of queries over stored values: compiled plans, scans, and the merging of their results. */
@NullMarked
package io.millrace.store.scan;

import org.jspecify.annotations.NullMarked;
