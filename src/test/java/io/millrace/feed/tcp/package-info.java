@NullMarked
package io.millrace.feed.tcp;

import org.jspecify.annotations.NullMarked;
