/** Tests of measures, against models of plain collections. */
@NullMarked
package io.millrace.measure;

import org.jspecify.annotations.NullMarked;
