/** Import of schemas from samples, classes and sources. */
@NullMarked
package io.millrace.cli.model;

import org.jspecify.annotations.NullMarked;
