/** Holds what documentation and examples show against what really happens. */
@NullMarked
package io.millrace.documentation;

import org.jspecify.annotations.NullMarked;
