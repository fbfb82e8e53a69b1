/** Regular expressions as automata over bytes, which read each byte once. */
@NullMarked
package io.millrace.regex;

import org.jspecify.annotations.NullMarked;
