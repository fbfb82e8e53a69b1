/** Filters: keep the records for which a condition holds. */
@NullMarked
package io.millrace.pipeline.step.filter;

import org.jspecify.annotations.NullMarked;
