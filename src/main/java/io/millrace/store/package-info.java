/** What is kept: formats of blocks and rejects, regions with their writers, positions and queries, in plain Java. */
@NullMarked
package io.millrace.store;

import org.jspecify.annotations.NullMarked;
