/** Conversion of the values of fields to Java types, and what getters return them in. */
@NullMarked
package io.millrace.view.value;

import org.jspecify.annotations.NullMarked;
