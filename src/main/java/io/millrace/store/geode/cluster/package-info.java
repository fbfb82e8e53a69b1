/** Membership of servers and locators in a cluster. */
@NullMarked
package io.millrace.store.geode.cluster;

import org.jspecify.annotations.NullMarked;
