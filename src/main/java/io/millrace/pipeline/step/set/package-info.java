/** Computed fields. */
@NullMarked
package io.millrace.pipeline.step.set;

import org.jspecify.annotations.NullMarked;
