/** Tests. */
@NullMarked
package io.millrace.view.json;

import org.jspecify.annotations.NullMarked;
