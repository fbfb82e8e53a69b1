/** Tests. */
@NullMarked
package io.millrace.view.access;

import org.jspecify.annotations.NullMarked;
