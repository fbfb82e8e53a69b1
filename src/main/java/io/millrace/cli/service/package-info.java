/** Commands that show what a running service does, over its HTTP API. */
@NullMarked
package io.millrace.cli.service;

import org.jspecify.annotations.NullMarked;
