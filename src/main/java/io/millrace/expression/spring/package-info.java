/** Fields of binary records in Spring's own expressions. */
@NullMarked
package io.millrace.expression.spring;

import org.jspecify.annotations.NullMarked;
