/** Where records begin and end in bytes that contain many of them. */
@NullMarked
package io.millrace.codec.frame;

import org.jspecify.annotations.NullMarked;
