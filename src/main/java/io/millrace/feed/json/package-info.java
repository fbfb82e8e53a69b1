/** A feed of JSON lines, which become compact records. */
@NullMarked
package io.millrace.feed.json;

import org.jspecify.annotations.NullMarked;
