/** Samples of the records that pass a point of a running pipeline. */
@NullMarked
package io.millrace.pipeline.tap;

import org.jspecify.annotations.NullMarked;
