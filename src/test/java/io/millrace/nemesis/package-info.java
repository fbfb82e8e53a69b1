/** Faults that tests cause in processes, files, clocks and networks, each with a switch, alone or two at a time. */
@NullMarked
package io.millrace.nemesis;

import org.jspecify.annotations.NullMarked;
