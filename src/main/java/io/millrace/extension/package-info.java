/** What all kinds of feeds, steps and outputs have in common: a name, the type of their properties, and their check. */
@NullMarked
package io.millrace.extension;

import org.jspecify.annotations.NullMarked;
