/** Queries of regions: partial scans in this process and on the members of a cluster. */
@NullMarked
package io.millrace.store.geode.query;

import org.jspecify.annotations.NullMarked;
