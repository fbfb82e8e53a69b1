/** Definitions of pipelines as configured, and the plans into which they are validated and compiled. */
@NullMarked
package io.millrace.pipeline.definition;

import org.jspecify.annotations.NullMarked;
