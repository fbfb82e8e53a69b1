/** Sources of records. */
@NullMarked
package io.millrace.feed;

import org.jspecify.annotations.NullMarked;
