/** Tests of rules: runs the steps of a pipeline on single records, without a feed and without a store. */
@NullMarked
package io.millrace.pipeline.trial;

import org.jspecify.annotations.NullMarked;
