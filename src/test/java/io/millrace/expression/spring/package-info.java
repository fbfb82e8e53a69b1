/** Tests of fields of binary records in stock SpEL. */
@NullMarked
package io.millrace.expression.spring;

import org.jspecify.annotations.NullMarked;
