/** Record types: their fields, and the storage of each in bytes. */
@NullMarked
package io.millrace.schema;

import org.jspecify.annotations.NullMarked;
