/** The loops of partitions: lanes turn them, one batch at a time, in a term of the right to write. */
@NullMarked
package io.millrace.pipeline.run;

import org.jspecify.annotations.NullMarked;
