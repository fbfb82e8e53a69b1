/** Queries to regions from an application of one's own. */
@NullMarked
package io.millrace.client;

import org.jspecify.annotations.NullMarked;
