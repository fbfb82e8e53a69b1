/** Records as objects of interfaces with getters, made when they are needed. */
@NullMarked
package io.millrace.codec.view;

import org.jspecify.annotations.NullMarked;
