/** Configuration: its properties, the check of all that it says, and the beans that come of it. */
@NullMarked
package io.millrace.config;

import org.jspecify.annotations.NullMarked;
