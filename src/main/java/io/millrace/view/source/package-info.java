/** Generation of Java sources for schemas: interfaces, and classes that implement them. */
@NullMarked
package io.millrace.view.source;

import org.jspecify.annotations.NullMarked;
