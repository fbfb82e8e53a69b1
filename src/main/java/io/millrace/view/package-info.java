/** Views of records: objects of interfaces and classes of your application, whose getters read bytes. */
@NullMarked
package io.millrace.view;

import org.jspecify.annotations.NullMarked;
