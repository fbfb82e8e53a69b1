/** Fields of binary records in anyone's own SpEL, compiled by Spring. */
@NullMarked
package io.millrace.expression.spring;

import org.jspecify.annotations.NullMarked;
