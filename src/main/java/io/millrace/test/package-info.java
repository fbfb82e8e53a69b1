/** Tests of an application's pipelines on records in memory, without feeds and without a cluster. */
@NullMarked
package io.millrace.test;

import org.jspecify.annotations.NullMarked;
