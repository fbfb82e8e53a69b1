/** What reads the records of one schema, whatever their layout. */
@NullMarked
package io.millrace.codec.record;

import org.jspecify.annotations.NullMarked;
