/** Tests. */
@NullMarked
package io.millrace.codec.check;

import org.jspecify.annotations.NullMarked;
