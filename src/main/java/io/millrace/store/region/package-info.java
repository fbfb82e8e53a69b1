/** Definitions of regions: layout, schema, keys, retention and memory, and the stored form of a record. */
@NullMarked
package io.millrace.store.region;

import org.jspecify.annotations.NullMarked;
