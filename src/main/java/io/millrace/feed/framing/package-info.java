/** How feeds split bytes into records, as configured. */
@NullMarked
package io.millrace.feed.framing;

import org.jspecify.annotations.NullMarked;
