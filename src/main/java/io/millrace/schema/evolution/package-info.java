/** Stored descriptions of schemas, and what changes between two versions of a schema. */
@NullMarked
package io.millrace.schema.evolution;

import org.jspecify.annotations.NullMarked;
