/** Text with records: lines, and what all formats of files have in common. */
@NullMarked
package io.millrace.codec.text;

import org.jspecify.annotations.NullMarked;
