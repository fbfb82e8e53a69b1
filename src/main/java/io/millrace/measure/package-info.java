/** Measures in plain Java: aggregates of groups over time windows, computed while records pass, and alerts on them. */
@NullMarked
package io.millrace.measure;

import org.jspecify.annotations.NullMarked;
