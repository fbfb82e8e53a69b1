/** Generation of the hidden classes of views. */
@NullMarked
package io.millrace.view.bytecode;

import org.jspecify.annotations.NullMarked;
