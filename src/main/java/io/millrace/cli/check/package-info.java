/** Checks, explanations and tests of configurations. */
@NullMarked
package io.millrace.cli.check;

import org.jspecify.annotations.NullMarked;
