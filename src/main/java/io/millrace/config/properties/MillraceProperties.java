package io.millrace.config.properties;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Properties under {@code millrace}.
 *
 * @param enabled whether there are pipelines, regions and an HTTP API
 * @param schemas folder of schema files; they take precedence over built-in schemas of the same name
 * @param tables reference tables, by name
 * @param regions regions that store records, by name
 * @param outputs places outside of the store that receive records, by name, each with the name of its kind, such as
 *     file, and its properties
 * @param pipelines pipelines that process records, by name
 * @param batchRecords maximum number of records of a batch
 * @param latency maximum time after which records are confirmed to senders that wait for it, while more arrive
 * @param flush maximum time that a record waits for its block to fill before the block is stored
 * @param feedRetryTimeout time after which a pipeline fails whose feed can't be read; by default never, or 5 minutes if
 *     the process exits when all feeds have ended
 * @param data folder of the disk stores of persistent regions
 * @param dataReserve minimum free space of the disk of the data folder: with less, writes to it are refused and the
 *     pipelines wait; 0 for no limit. Applies without a cluster only
 * @param role role of this process; the commands {@code server} and {@code locator} set it
 * @param geode the Geode cluster that this process belongs to
 * @param rules changes of rules while pipelines run
 * @param query limits of queries of regions
 * @param web the HTTP API
 * @param page the live page
 * @param security access to the HTTP interface
 * @param instance name of this process among those that run the same pipelines; the host name by default
 * @param sample whether the sample pipelines run in addition to the configured ones
 * @param exitWhenDone whether the process exits when all feeds have ended and everything is stored; the end of a feed
 *     is final
 */
@ConfigurationProperties(prefix = "millrace", ignoreUnknownFields = false)
public record MillraceProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("schemas") Path schemas,
        @DefaultValue Map<String, TableProperties> tables,
        @DefaultValue Map<String, RegionProperties> regions,
        @DefaultValue Map<String, Map<String, Object>> outputs,
        @DefaultValue Map<String, PipelineProperties> pipelines,
        @DefaultValue("2048") int batchRecords,
        @DefaultValue("5ms") Duration latency,
        @DefaultValue("200ms") Duration flush,
        @Nullable Duration feedRetryTimeout,
        @DefaultValue("data") Path data,
        @DefaultValue("512MB") DataSize dataReserve,
        @DefaultValue("ingest") Role role,
        @NestedConfigurationProperty @DefaultValue ClusterProperties geode,
        @NestedConfigurationProperty @DefaultValue RulesProperties rules,
        @NestedConfigurationProperty @DefaultValue QueryProperties query,
        @NestedConfigurationProperty @DefaultValue StreamProperties web,
        @NestedConfigurationProperty @DefaultValue PageProperties page,
        @NestedConfigurationProperty @DefaultValue SecurityProperties security,
        @Nullable String instance,
        @DefaultValue("false") boolean sample,
        @DefaultValue("false") boolean exitWhenDone) {

    private static final Duration EXITING_FEED_RETRY_TIMEOUT = Duration.ofMinutes(5);

    /** Returns the time after which a pipeline fails whose feed can't be read; null for never. */
    public @Nullable Duration boundedFeedRetryTimeout() {
        return feedRetryTimeout == null && exitWhenDone ? EXITING_FEED_RETRY_TIMEOUT : feedRetryTimeout;
    }

    /** Returns a copy without the feeds of pipelines and with this data folder, for tests. */
    public MillraceProperties withoutFeeds(Path folder) {
        Map<String, PipelineProperties> withoutFeed = new LinkedHashMap<>();
        pipelines.forEach((name, pipeline) -> withoutFeed.put(name, pipeline.withoutFeed()));
        return new MillraceProperties(
                enabled,
                schemas,
                tables,
                regions,
                outputs,
                withoutFeed,
                batchRecords,
                latency,
                flush,
                feedRetryTimeout,
                folder,
                DataSize.ofBytes(0),
                role,
                geode,
                rules,
                query,
                web,
                page,
                security,
                instance,
                sample,
                exitWhenDone);
    }
}
