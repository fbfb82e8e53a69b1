/** The store in Apache Geode; the only package that knows it. */
@NullMarked
package io.millrace.store.geode;

import org.jspecify.annotations.NullMarked;
