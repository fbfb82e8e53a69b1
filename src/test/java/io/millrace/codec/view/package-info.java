/** Tests. */
@NullMarked
package io.millrace.codec.view;

import org.jspecify.annotations.NullMarked;
