/**
 * Pipelines: steps as Spring Integration endpoints on named channels, turned by lanes. This package has pipelines as
 * applications see them, and assembles them of their parts.
 */
@NullMarked
package io.millrace.pipeline;

import org.jspecify.annotations.NullMarked;
