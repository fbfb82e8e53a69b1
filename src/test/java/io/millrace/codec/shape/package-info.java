/** Tests. */
@NullMarked
package io.millrace.codec.shape;

import org.jspecify.annotations.NullMarked;
