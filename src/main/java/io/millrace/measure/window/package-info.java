/** Windows of measures in memory: panes of groups to which records are added, and what is retained of closed windows. */
@NullMarked
package io.millrace.measure.window;

import org.jspecify.annotations.NullMarked;
