/** The store in Apache Geode. Only this package and those in it depend on Geode. */
@NullMarked
package io.millrace.store.geode;

import org.jspecify.annotations.NullMarked;
