/** The steps of a pipeline: what all kinds of steps have in common. Each kind has a package of its own below. */
@NullMarked
package io.millrace.pipeline.step;

import org.jspecify.annotations.NullMarked;
