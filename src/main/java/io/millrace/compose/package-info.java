/** For development: finds a cluster that Spring Boot's Docker Compose support has brought up. */
@NullMarked
package io.millrace.compose;

import org.jspecify.annotations.NullMarked;
