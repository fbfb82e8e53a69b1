/** Opening Geode: in this process or as a client, with its properties, its folder and the check of writes. */
@NullMarked
package io.millrace.store.geode.cache;

import org.jspecify.annotations.NullMarked;
