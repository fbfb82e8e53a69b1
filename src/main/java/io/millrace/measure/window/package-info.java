/** Windows of measures in memory: panes of groups to which records are added, and the most recently closed windows. */
@NullMarked
package io.millrace.measure.window;

import org.jspecify.annotations.NullMarked;
