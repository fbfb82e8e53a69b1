/**
 * The executable service as a Spring Boot application.
 *
 * <p>In a package without others: at each start, Spring Integration reads every class of the application's package, and
 * of those within, in search of message gateways.
 */
@NullMarked
package io.millrace.application;

import org.jspecify.annotations.NullMarked;
