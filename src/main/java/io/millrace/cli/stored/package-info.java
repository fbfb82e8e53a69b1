/** Commands on stored data: regions and positions. */
@NullMarked
package io.millrace.cli.stored;

import org.jspecify.annotations.NullMarked;
