/** Conversion and generation of files of records. */
@NullMarked
package io.millrace.cli.convert;

import org.jspecify.annotations.NullMarked;
