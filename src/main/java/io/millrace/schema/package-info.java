/** Record types: their fields, the storage of each in bytes, and reading schemas from YAML. */
@NullMarked
package io.millrace.schema;

import org.jspecify.annotations.NullMarked;
