/** Records as text files, and text files as records. */
@NullMarked
package io.millrace.codec.text;

import org.jspecify.annotations.NullMarked;
