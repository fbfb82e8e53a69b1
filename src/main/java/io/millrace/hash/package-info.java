/** Hashes of keys: a fixed one for stored hashes, and one with a secret seed for untrusted keys. */
@NullMarked
package io.millrace.hash;

import org.jspecify.annotations.NullMarked;
