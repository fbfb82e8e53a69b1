/** Orders of a day outside the heap, and their balances. */
@NullMarked
package io.millrace.daybook;

import org.jspecify.annotations.NullMarked;
