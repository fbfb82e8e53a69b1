/** Queries and their results, and the decoder of stored records. */
@NullMarked
package io.millrace.store.query;

import org.jspecify.annotations.NullMarked;
