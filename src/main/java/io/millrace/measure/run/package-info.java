/** Running measures: windows of all partitions, merged, with their state, their rows and alerts in the store. */
@NullMarked
package io.millrace.measure.run;

import org.jspecify.annotations.NullMarked;
