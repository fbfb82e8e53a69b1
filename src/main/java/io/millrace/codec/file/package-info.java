/** The files that records come from: recognition of their content, and descriptions of their errors. */
@NullMarked
package io.millrace.codec.file;

import org.jspecify.annotations.NullMarked;
