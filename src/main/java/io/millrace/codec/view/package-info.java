/** Views of records: objects of interfaces with getters, whose classes are generated at run time. */
@NullMarked
package io.millrace.codec.view;

import org.jspecify.annotations.NullMarked;
