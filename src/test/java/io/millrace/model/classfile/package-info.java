/** Tests. */
@NullMarked
package io.millrace.model.classfile;

import org.jspecify.annotations.NullMarked;
