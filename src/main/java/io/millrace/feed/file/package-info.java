/** Records of one file, read once from any position to its end. */
@NullMarked
package io.millrace.feed.file;

import org.jspecify.annotations.NullMarked;
