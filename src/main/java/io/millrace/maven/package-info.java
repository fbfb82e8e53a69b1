/** The Maven goal that writes Java sources for schemas. */
@NullMarked
package io.millrace.maven;

import org.jspecify.annotations.NullMarked;
