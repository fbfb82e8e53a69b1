/** Regions in Geode: their values, indexes of blocks, and definitions. */
@NullMarked
package io.millrace.store.geode.region;

import org.jspecify.annotations.NullMarked;
