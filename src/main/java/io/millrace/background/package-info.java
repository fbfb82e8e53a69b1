/** Work that repeats in the background, its failures, and what happens when the JVM runs out of memory. */
@NullMarked
package io.millrace.background;

import org.jspecify.annotations.NullMarked;
