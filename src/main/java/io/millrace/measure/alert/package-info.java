/** Alerts on the rows of measures: what is raised and cleared for which group. */
@NullMarked
package io.millrace.measure.alert;

import org.jspecify.annotations.NullMarked;
