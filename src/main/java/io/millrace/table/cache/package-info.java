/** A bounded map outside the heap, from keys to bytes, with readers that never wait. */
@NullMarked
package io.millrace.table.cache;

import org.jspecify.annotations.NullMarked;
