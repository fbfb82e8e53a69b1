/** Shares of rejected and late records, compared with the thresholds of a pipeline. */
@NullMarked
package io.millrace.pipeline.monitor;

import org.jspecify.annotations.NullMarked;
