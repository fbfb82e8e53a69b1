/** Pipelines: steps as Spring Integration endpoints on named channels, and a thread for each pipeline. */
@NullMarked
package io.millrace.pipeline;

import org.jspecify.annotations.NullMarked;
