/** Measures as configured and compiled: definitions, their plans, and the rows that a plan computes of groups. */
@NullMarked
package io.millrace.measure.plan;

import org.jspecify.annotations.NullMarked;
