/** Stored data as commands inspect and change it: of a stopped service, or of a running cluster. */
@NullMarked
package io.millrace.store.geode.admin;

import org.jspecify.annotations.NullMarked;
