package io.millrace.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What health checks include.
 *
 * @param readinessIncludesPipelines whether a pipeline that has failed makes the readiness check fail too
 */
public record HealthProperties(@DefaultValue("false") boolean readinessIncludesPipelines) {}
