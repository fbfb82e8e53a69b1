/** What configuration asks for, and the plan that comes of it once everything in it has been checked and compiled. */
@NullMarked
package io.millrace.pipeline.definition;

import org.jspecify.annotations.NullMarked;
