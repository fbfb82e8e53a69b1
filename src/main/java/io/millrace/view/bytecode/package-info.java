/** Generation of the classes of views. */
@NullMarked
package io.millrace.view.bytecode;

import org.jspecify.annotations.NullMarked;
