/** JSON of views with Jackson. */
@NullMarked
package io.millrace.view.json;

import org.jspecify.annotations.NullMarked;
