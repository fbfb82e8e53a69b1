/** Off-heap memory and mapped files, with bounds-checked access to numbers and records. */
@NullMarked
package io.millrace.memory;

import org.jspecify.annotations.NullMarked;
