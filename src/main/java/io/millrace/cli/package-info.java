/** The commands of the command line. */
@NullMarked
package io.millrace.cli;

import org.jspecify.annotations.NullMarked;
