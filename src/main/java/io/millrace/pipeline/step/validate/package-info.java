/** Validation: reject or mark the records whose values violate the constraints of their schema. */
@NullMarked
package io.millrace.pipeline.step.validate;

import org.jspecify.annotations.NullMarked;
