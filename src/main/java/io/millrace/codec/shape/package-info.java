/** The members of records and of their parts, and the rows and bytes that contain their values. */
@NullMarked
package io.millrace.codec.shape;

import org.jspecify.annotations.NullMarked;
