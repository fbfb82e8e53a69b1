/** Configuration: its properties, the checks of their values, and the beans that are created from them. */
@NullMarked
package io.millrace.config;

import org.jspecify.annotations.NullMarked;
