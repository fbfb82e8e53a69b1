/** What processes of a store share in addition to records: writers, leases, commits and states. */
@NullMarked
package io.millrace.store.geode.shared;

import org.jspecify.annotations.NullMarked;
