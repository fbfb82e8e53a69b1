package io.millrace.config.properties;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Changes of rules while pipelines run.
 *
 * @param watch folder of files with rules, {@code PIPELINE.yml}, that are applied when their content changes; without
 *     it, rules change on request only
 * @param watchInterval interval at which the files are read
 */
public record RulesProperties(
        @Nullable Path watch, @DefaultValue("1s") Duration watchInterval) {}
