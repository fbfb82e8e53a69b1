/** Where records come from. */
@NullMarked
package io.millrace.feed;

import org.jspecify.annotations.NullMarked;
