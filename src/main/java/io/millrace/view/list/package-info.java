/** Lists that hold the bytes of records. */
@NullMarked
package io.millrace.view.list;

import org.jspecify.annotations.NullMarked;
