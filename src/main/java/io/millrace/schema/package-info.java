/** What a record type's fields are and how each lies in the bytes; reading schemas from YAML. */
@NullMarked
package io.millrace.schema;

import org.jspecify.annotations.NullMarked;
