/** The check of a parsed expression against a schema: fields, types and cost. */
@NullMarked
package io.millrace.expression.check;

import org.jspecify.annotations.NullMarked;
