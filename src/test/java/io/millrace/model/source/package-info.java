/** Tests. */
@NullMarked
package io.millrace.model.source;

import org.jspecify.annotations.NullMarked;
