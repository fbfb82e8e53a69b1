/** Hashes of keys: one whose numbers are stored and never change, and one by a secret seed for keys of others. */
@NullMarked
package io.millrace.hash;

import org.jspecify.annotations.NullMarked;
