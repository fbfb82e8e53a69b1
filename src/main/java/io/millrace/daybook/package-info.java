/**
 * Orders of a day outside the heap, and their balances. A library for applications: the service does not use it. It
 * needs no pipeline, no Spring and no Geode; {@code docs/guides/day-book.md} describes it.
 */
@NullMarked
package io.millrace.daybook;

import org.jspecify.annotations.NullMarked;
