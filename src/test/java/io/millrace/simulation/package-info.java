/**
 * Runs the real classes of the write path against a simulated cluster, one step at a time, in an order that a seed
 * decides: every delay, loss, crash, pause and takeover happens in virtual time on one thread.
 */
@NullMarked
package io.millrace.simulation;

import org.jspecify.annotations.NullMarked;
