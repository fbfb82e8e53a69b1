/** Measures: figures of groups over windows of time, told while records pass, and alerts on them, in plain Java. */
@NullMarked
package io.millrace.measure;

import org.jspecify.annotations.NullMarked;
