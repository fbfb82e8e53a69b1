/** Infers schemas from samples: JSON objects and CSV lines, in one pass and with bounded memory. */
@NullMarked
package io.millrace.model.sample;

import org.jspecify.annotations.NullMarked;
