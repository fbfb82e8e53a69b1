@NullMarked
package io.millrace.web.access;

import org.jspecify.annotations.NullMarked;
