/** Looks up what reads and upgrades the records of a layout. */
@NullMarked
package io.millrace.codec.layout;

import org.jspecify.annotations.NullMarked;
