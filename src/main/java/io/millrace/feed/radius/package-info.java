/** RADIUS accounting over UDP: requests become records as they are, and are answered once they are stored. */
@NullMarked
package io.millrace.feed.radius;

import org.jspecify.annotations.NullMarked;
