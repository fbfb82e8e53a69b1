/** Fields from reference tables. */
@NullMarked
package io.millrace.pipeline.step.enrich;

import org.jspecify.annotations.NullMarked;
