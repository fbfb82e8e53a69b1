/**
 * The executable service as a Spring Boot application.
 *
 * <p>This package contains nothing else: at each start, Spring Integration reads every class of the application's
 * package and its sub-packages in search of message gateways.
 */
@NullMarked
package io.millrace.application;

import org.jspecify.annotations.NullMarked;
