/** Tests. */
@NullMarked
package io.millrace.codec.compact.upgrade;

import org.jspecify.annotations.NullMarked;
