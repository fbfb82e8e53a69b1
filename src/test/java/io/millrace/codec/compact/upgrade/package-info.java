/** Tests of records of an older version of a compact schema. */
@NullMarked
package io.millrace.codec.compact.upgrade;

import org.jspecify.annotations.NullMarked;
