/** Tests. */
@NullMarked
package io.millrace.view.source;

import org.jspecify.annotations.NullMarked;
