/** RADIUS accounting over UDP: each request is a record and is answered once it is stored. */
@NullMarked
package io.millrace.feed.radius;

import org.jspecify.annotations.NullMarked;
