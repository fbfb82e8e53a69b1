/** Files that commands read and write, and the options for them. */
@NullMarked
package io.millrace.cli.file;

import org.jspecify.annotations.NullMarked;
