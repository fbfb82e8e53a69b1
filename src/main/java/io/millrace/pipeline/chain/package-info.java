/**
 * The steps of a partition, connected. Each is an endpoint of a named channel of Spring Integration, and calls the next
 * one directly where nothing else listens.
 */
@NullMarked
package io.millrace.pipeline.chain;

import org.jspecify.annotations.NullMarked;
