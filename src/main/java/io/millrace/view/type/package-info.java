/** What the Java types of views declare: getters and setters, methods that use fields, annotations. */
@NullMarked
package io.millrace.view.type;

import org.jspecify.annotations.NullMarked;
