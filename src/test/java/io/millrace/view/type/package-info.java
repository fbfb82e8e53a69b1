/** Tests. */
@NullMarked
package io.millrace.view.type;

import org.jspecify.annotations.NullMarked;
