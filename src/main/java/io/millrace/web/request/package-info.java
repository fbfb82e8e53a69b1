/** What all requests have in common: paths, threads, checks and errors. */
@NullMarked
package io.millrace.web.request;

import org.jspecify.annotations.NullMarked;
