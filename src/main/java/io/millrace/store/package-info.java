/** The store as its users see it: regions that are opened, written and queried. Plain Java. */
@NullMarked
package io.millrace.store;

import org.jspecify.annotations.NullMarked;
