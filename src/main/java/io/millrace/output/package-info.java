/**
 * Outputs: places outside of the store that receive the records of pipelines. A kind of output is an extension point,
 * as a kind of feed is.
 */
@NullMarked
package io.millrace.output;

import org.jspecify.annotations.NullMarked;
