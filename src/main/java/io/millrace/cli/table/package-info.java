/** Commands on files of reference tables. */
@NullMarked
package io.millrace.cli.table;

import org.jspecify.annotations.NullMarked;
