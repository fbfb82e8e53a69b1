/** Histories of what clients did and saw, and checks of them. */
@NullMarked
package io.millrace.nemesis.history;

import org.jspecify.annotations.NullMarked;
