/** Tests. */
@NullMarked
package io.millrace.view;

import org.jspecify.annotations.NullMarked;
