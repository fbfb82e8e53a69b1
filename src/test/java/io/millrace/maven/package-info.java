/** Tests. */
@NullMarked
package io.millrace.maven;

import org.jspecify.annotations.NullMarked;
