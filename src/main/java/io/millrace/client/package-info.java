/** Queries to regions from applications. */
@NullMarked
package io.millrace.client;

import org.jspecify.annotations.NullMarked;
