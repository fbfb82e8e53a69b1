@NullMarked
package io.millrace.background;

import org.jspecify.annotations.NullMarked;
