/** Millrace: rules over feeds of binary records, straight over their bytes. */
@NullMarked
package io.millrace;

import org.jspecify.annotations.NullMarked;
