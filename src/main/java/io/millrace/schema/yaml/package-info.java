/** Reading schemas from YAML. */
@NullMarked
package io.millrace.schema.yaml;

import org.jspecify.annotations.NullMarked;
