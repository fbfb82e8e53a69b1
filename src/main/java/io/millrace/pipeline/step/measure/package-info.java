/** Measures as steps of a pipeline. */
@NullMarked
package io.millrace.pipeline.step.measure;

import org.jspecify.annotations.NullMarked;
