/** Codes of the errors that commands print. */
@NullMarked
package io.millrace.cli.error;

import org.jspecify.annotations.NullMarked;
