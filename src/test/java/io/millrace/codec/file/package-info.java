/** Tests. */
@NullMarked
package io.millrace.codec.file;

import org.jspecify.annotations.NullMarked;
