/** Rewrites compact records of one version of a schema as records of the next one. */
@NullMarked
package io.millrace.codec.compact.upgrade;

import org.jspecify.annotations.NullMarked;
