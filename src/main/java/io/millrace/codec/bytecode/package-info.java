/** Generated classes: what expressions and readers of records have in common. */
@NullMarked
package io.millrace.codec.bytecode;

import org.jspecify.annotations.NullMarked;
