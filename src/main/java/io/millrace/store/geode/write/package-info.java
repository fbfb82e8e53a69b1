/** Writers of blocks and entries. */
@NullMarked
package io.millrace.store.geode.write;

import org.jspecify.annotations.NullMarked;
