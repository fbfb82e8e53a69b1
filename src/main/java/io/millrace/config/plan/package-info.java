/** The plan of a service from its properties: pipelines, regions, measures, tables, the map. */
@NullMarked
package io.millrace.config.plan;

import org.jspecify.annotations.NullMarked;
