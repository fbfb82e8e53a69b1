/** The HTTP interface of the page: moments of all pipelines, taps, the map, and the rate of feeds. */
@NullMarked
package io.millrace.web.page;

import org.jspecify.annotations.NullMarked;
