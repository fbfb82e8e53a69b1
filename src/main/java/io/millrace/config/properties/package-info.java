/** The configuration properties, one class for each group. */
@NullMarked
package io.millrace.config.properties;

import org.jspecify.annotations.NullMarked;
