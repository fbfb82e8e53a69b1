/** Tests. */
@NullMarked
package io.millrace.view.list;

import org.jspecify.annotations.NullMarked;
