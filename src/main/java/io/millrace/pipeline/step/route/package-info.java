/** Routes: send each record to one of several targets. */
@NullMarked
package io.millrace.pipeline.step.route;

import org.jspecify.annotations.NullMarked;
