/** A day's orders outside the heap, and what they come to. */
@NullMarked
package io.millrace.daybook;

import org.jspecify.annotations.NullMarked;
