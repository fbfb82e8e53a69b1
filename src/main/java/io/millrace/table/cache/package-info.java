/** A bounded map outside the heap, from keys to bytes, that readers never wait for. */
@NullMarked
package io.millrace.table.cache;

import org.jspecify.annotations.NullMarked;
