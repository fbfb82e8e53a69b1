/** The steps of a pipeline: a message handler for each kind of step. */
@NullMarked
package io.millrace.pipeline.step;

import org.jspecify.annotations.NullMarked;
