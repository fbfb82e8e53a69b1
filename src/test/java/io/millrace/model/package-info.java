/** Tests. */
@NullMarked
package io.millrace.model;

import org.jspecify.annotations.NullMarked;
