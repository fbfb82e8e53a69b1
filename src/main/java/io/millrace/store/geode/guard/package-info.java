/** Checks of what arrives at a cluster's ports, before Geode and JGroups read it. */
@NullMarked
package io.millrace.store.geode.guard;

import org.jspecify.annotations.NullMarked;
