/** The store in Apache Geode; the only package that depends on Geode. */
@NullMarked
package io.millrace.store.geode;

import org.jspecify.annotations.NullMarked;
