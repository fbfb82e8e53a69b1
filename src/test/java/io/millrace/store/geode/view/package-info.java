/** Tests. */
@NullMarked
package io.millrace.store.geode.view;

import org.jspecify.annotations.NullMarked;
