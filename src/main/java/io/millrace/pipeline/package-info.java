/** Pipelines: their steps as Spring Integration endpoints on named channels, and the thread that works each. */
@NullMarked
package io.millrace.pipeline;

import org.jspecify.annotations.NullMarked;
