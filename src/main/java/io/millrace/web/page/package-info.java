/** What the live page asks for: moments of all pipelines, taps, and the speed of feeds. */
@NullMarked
package io.millrace.web.page;

import org.jspecify.annotations.NullMarked;
