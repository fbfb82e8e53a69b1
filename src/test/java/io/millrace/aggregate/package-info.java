/** Tests of groups and their accumulators. */
@NullMarked
package io.millrace.aggregate;

import org.jspecify.annotations.NullMarked;
