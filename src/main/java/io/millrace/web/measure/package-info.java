/** Measures and alerts: windows, and streams of their changes. */
@NullMarked
package io.millrace.web.measure;

import org.jspecify.annotations.NullMarked;
