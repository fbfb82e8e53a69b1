/**
 * Tests of one corpus in all places that evaluate expressions: random records with absent and extreme values, and
 * random expressions, aggregates, groups and orders of them.
 */
@NullMarked
package io.millrace.corpus;

import org.jspecify.annotations.NullMarked;
