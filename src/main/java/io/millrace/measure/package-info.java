/**
 * Measures in plain Java: aggregates of groups over time windows, computed while records pass, and alerts on them. This
 * package has the alerts as applications receive them.
 */
@NullMarked
package io.millrace.measure;

import org.jspecify.annotations.NullMarked;
