/**
 * The storage of records in plain Java: formats of blocks and rejects, regions with their writers, positions and
 * queries.
 */
@NullMarked
package io.millrace.store;

import org.jspecify.annotations.NullMarked;
