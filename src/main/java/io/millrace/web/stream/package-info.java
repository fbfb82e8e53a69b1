/** Event streams and their listeners. */
@NullMarked
package io.millrace.web.stream;

import org.jspecify.annotations.NullMarked;
