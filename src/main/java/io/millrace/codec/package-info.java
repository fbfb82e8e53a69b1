/** Reading and writing fields in byte arrays; batches of records; framers that cut a feed's bytes into records. */
@NullMarked
package io.millrace.codec;

import org.jspecify.annotations.NullMarked;
