/** Groups of records and figures of them, told over batches: what queries to regions and measures have in common. */
@NullMarked
package io.millrace.aggregate;

import org.jspecify.annotations.NullMarked;
