/** Tests. */
@NullMarked
package io.millrace.view.expression;

import org.jspecify.annotations.NullMarked;
