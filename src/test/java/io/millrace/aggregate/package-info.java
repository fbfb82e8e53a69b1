/** Tests of groups and their figures. */
@NullMarked
package io.millrace.aggregate;

import org.jspecify.annotations.NullMarked;
