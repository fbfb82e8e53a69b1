/** Tests define generated classes in this package. */
@NullMarked
package io.millrace.view.samples;

import org.jspecify.annotations.NullMarked;
