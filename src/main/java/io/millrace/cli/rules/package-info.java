/** Commands on the rules of a running service, over its HTTP API. */
@NullMarked
package io.millrace.cli.rules;

import org.jspecify.annotations.NullMarked;
