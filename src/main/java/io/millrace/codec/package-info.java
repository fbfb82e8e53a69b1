/** Codecs for fields in byte arrays, batches of records, and framers that split the bytes of a feed into records. */
@NullMarked
package io.millrace.codec;

import org.jspecify.annotations.NullMarked;
