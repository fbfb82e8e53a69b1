/** Checks of the values of records: of their types, of the constraints of fields, and of conditions. */
@NullMarked
package io.millrace.codec.check;

import org.jspecify.annotations.NullMarked;
