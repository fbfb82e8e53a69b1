/** Testing support: Millrace in containers, for {@code Testcontainers} and Spring Boot's {@code @ServiceConnection}. */
@NullMarked
package io.millrace.testcontainers;

import org.jspecify.annotations.NullMarked;
