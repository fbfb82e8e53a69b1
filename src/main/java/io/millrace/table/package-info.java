/** Reference tables that enrichment looks up. */
@NullMarked
package io.millrace.table;

import org.jspecify.annotations.NullMarked;
