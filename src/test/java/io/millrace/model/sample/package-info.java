/** Tests. */
@NullMarked
package io.millrace.model.sample;

import org.jspecify.annotations.NullMarked;
