/** Elements of lists as records: one record for each element, with the fields of the record that contains it. */
@NullMarked
package io.millrace.pipeline.step.unnest;

import org.jspecify.annotations.NullMarked;
