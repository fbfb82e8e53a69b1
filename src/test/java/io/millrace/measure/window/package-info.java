/** Tests of measures, against models of plain collections. */
@NullMarked
package io.millrace.measure.window;

import org.jspecify.annotations.NullMarked;
