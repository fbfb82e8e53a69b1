/** Tests define generated classes in this package. */
@NullMarked
package io.millrace.codec.view.samples;

import org.jspecify.annotations.NullMarked;
