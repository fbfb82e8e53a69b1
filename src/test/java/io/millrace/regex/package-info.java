/** Tests of regular expressions, most of them against Java's own. */
@NullMarked
package io.millrace.regex;

import org.jspecify.annotations.NullMarked;
