/** Development support: finds a cluster that Spring Boot's Docker Compose support has started. */
@NullMarked
package io.millrace.compose;

import org.jspecify.annotations.NullMarked;
