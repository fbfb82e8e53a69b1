/** Getters and setters of views: reading and writing a member in the bytes. */
@NullMarked
package io.millrace.view.access;

import org.jspecify.annotations.NullMarked;
