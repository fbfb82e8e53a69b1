/** JSON: compact records from objects, and objects from compact records, without a tree in between. */
@NullMarked
package io.millrace.codec.json;

import org.jspecify.annotations.NullMarked;
