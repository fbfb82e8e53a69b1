/** The authentication, authorization and deserialization filter of a cluster's ports. */
@NullMarked
package io.millrace.store.geode.access;

import org.jspecify.annotations.NullMarked;
