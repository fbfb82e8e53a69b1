/** The HTTP interface: pipelines and regions as JSON. */
@NullMarked
package io.millrace.web;

import org.jspecify.annotations.NullMarked;
