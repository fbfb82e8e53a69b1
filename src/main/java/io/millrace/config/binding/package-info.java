/** Configuration files, bound to the properties: their checks, and the places of errors. */
@NullMarked
package io.millrace.config.binding;

import org.jspecify.annotations.NullMarked;
