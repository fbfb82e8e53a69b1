/** Answers to queries on regions, as JSON or CSV. */
@NullMarked
package io.millrace.web.answer;

import org.jspecify.annotations.NullMarked;
