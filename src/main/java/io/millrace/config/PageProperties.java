package io.millrace.config;

import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What the live page may do.
 *
 * @param play whether how fast feeds bring their records may be changed over HTTP
 */
public record PageProperties(@DefaultValue("true") boolean play) {}
