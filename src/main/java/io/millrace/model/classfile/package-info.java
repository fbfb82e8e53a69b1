/** Imports schemas from compiled classes, which are read as bytes and never loaded. */
@NullMarked
package io.millrace.model.classfile;

import org.jspecify.annotations.NullMarked;
