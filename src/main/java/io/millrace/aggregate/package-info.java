/** Groups of records and their aggregates, computed over batches: shared by queries to regions and measures. */
@NullMarked
package io.millrace.aggregate;

import org.jspecify.annotations.NullMarked;
