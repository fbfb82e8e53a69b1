/** Versions of the rules of a running pipeline, which replace each other between two batches. */
@NullMarked
package io.millrace.pipeline.version;

import org.jspecify.annotations.NullMarked;
