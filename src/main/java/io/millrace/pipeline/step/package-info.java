/** What a pipeline does with a batch: one message handler for each kind of step. */
@NullMarked
package io.millrace.pipeline.step;

import org.jspecify.annotations.NullMarked;
