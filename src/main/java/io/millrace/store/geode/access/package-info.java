/**
 * Who may use a cluster's ports, and for what: authentication, authorization, and the classes that may be deserialized.
 */
@NullMarked
package io.millrace.store.geode.access;

import org.jspecify.annotations.NullMarked;
