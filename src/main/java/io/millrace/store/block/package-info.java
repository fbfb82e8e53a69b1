/** The format of blocks: rows, records of different lengths, and columns. */
@NullMarked
package io.millrace.store.block;

import org.jspecify.annotations.NullMarked;
