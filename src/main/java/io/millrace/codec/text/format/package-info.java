/** The formats of files with records, and conversion between them. */
@NullMarked
package io.millrace.codec.text.format;

import org.jspecify.annotations.NullMarked;
