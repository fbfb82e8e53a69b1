/** Packets of RADIUS: their layout, their signatures with a shared secret, and sending them. */
@NullMarked
package io.millrace.feed.radius.packet;

import org.jspecify.annotations.NullMarked;
