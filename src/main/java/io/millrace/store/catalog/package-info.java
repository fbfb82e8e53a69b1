/**
 * The definitions that regions and measures were stored under: their text form, and the differences between two of
 * them.
 */
@NullMarked
package io.millrace.store.catalog;

import org.jspecify.annotations.NullMarked;
