/** Compares rules that do not run yet with the rules of a running pipeline, on the records that it processes. */
@NullMarked
package io.millrace.pipeline.shadow;

import org.jspecify.annotations.NullMarked;
