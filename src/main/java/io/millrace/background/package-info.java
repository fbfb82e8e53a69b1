/** Repeated background work, its failures, and reports of an exhausted JVM. */
@NullMarked
package io.millrace.background;

import org.jspecify.annotations.NullMarked;
