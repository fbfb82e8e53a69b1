/** Removal of expired records. */
@NullMarked
package io.millrace.store.geode.expiry;

import org.jspecify.annotations.NullMarked;
