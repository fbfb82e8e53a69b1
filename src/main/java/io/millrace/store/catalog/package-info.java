/** What regions and measures were stored as: definitions as text, and what differs between two of them. */
@NullMarked
package io.millrace.store.catalog;

import org.jspecify.annotations.NullMarked;
