/** The Spring beans of a service, which are created from its configuration. */
@NullMarked
package io.millrace.config;

import org.jspecify.annotations.NullMarked;
