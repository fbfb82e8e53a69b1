/** Delivery of alerts to the listeners of the application. */
@NullMarked
package io.millrace.pipeline.alert;

import org.jspecify.annotations.NullMarked;
