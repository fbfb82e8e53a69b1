/** Versions of rules: their history, changes while pipelines run, and what may change then. */
@NullMarked
package io.millrace.pipeline.rules;

import org.jspecify.annotations.NullMarked;
