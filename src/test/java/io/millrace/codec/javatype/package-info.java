/** Tests. */
@NullMarked
package io.millrace.codec.javatype;

import org.jspecify.annotations.NullMarked;
