/** Memory outside the heap, mapped files among it: numbers and records in it, in place and bounds-checked. */
@NullMarked
package io.millrace.memory;

import org.jspecify.annotations.NullMarked;
