/** Feeds of files of text, which becomes fixed or compact records. */
@NullMarked
package io.millrace.feed.text;

import org.jspecify.annotations.NullMarked;
