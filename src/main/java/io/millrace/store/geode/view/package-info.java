/** Views of records as values of the regions of your application. */
@NullMarked
package io.millrace.store.geode.view;

import org.jspecify.annotations.NullMarked;
