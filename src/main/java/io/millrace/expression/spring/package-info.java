/** Access to fields of binary records from Spring's own expressions. */
@NullMarked
package io.millrace.expression.spring;

import org.jspecify.annotations.NullMarked;
