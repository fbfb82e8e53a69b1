/** The HTTP interface: pipelines, regions and tables as JSON. */
@NullMarked
package io.millrace.web;

import org.jspecify.annotations.NullMarked;
