package io.millrace.config.plan;

import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.INVALID_SIZE;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;

import io.millrace.background.DurationText;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.QueryProperties;
import io.millrace.config.properties.RulesProperties;
import io.millrace.config.properties.StreamProperties;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * Checks the properties of the whole service: limits, durations, names and folders.
 *
 * @param problems receives what is wrong
 */
record SettingsCheck(PlanProblems problems) {

    /** Instances are parts of stored keys, as the names of pipelines are. */
    private static final Pattern INSTANCE = Pattern.compile("[A-Za-z0-9._-]+");

    private static final Pattern BASE_PATH = Pattern.compile("(/[A-Za-z0-9._-]+)+");

    /** Feeds have buffers for a whole batch. */
    private static final int MAX_BATCH_RECORDS = 1 << 16;

    /** Need not exist. */
    private static final Path DEFAULT_SCHEMAS = Path.of("schemas");

    void check(MillraceProperties properties) {
        problems.requireBetween("batch-records", properties.batchRecords(), 1, MAX_BATCH_RECORDS);
        problems.requireMillisecond("flush", properties.flush());
        problems.requirePositive("latency", properties.latency());
        if (properties.feedRetryTimeout() != null) {
            problems.requirePositive("feed-retry-timeout", properties.feedRetryTimeout());
        }
        if (properties.dataReserve().isNegative()) {
            problems.add(
                    "data-reserve",
                    INVALID_SIZE.message("Invalid size '" + properties.dataReserve() + "'. Use 0 or more."));
        }
        if (!Files.isDirectory(properties.schemas()) && !properties.schemas().equals(DEFAULT_SCHEMAS)) {
            problems.add("schemas", UNREADABLE_FILE.message("Folder not found: '" + properties.schemas() + "'."));
        }
        String instance = properties.instance();
        if (instance != null && !INSTANCE.matcher(instance).matches()) {
            problems.add(
                    "instance",
                    INVALID_NAME.message("Invalid instance '" + instance + "'. Use letters, digits, and . _ - only."));
        }
        check(properties.rules());
        check(properties.query());
        check(properties.web());
    }

    private void check(RulesProperties rules) {
        Path folder = rules.watch();
        if (folder != null && !Files.isDirectory(folder)) {
            problems.add("rules.watch", UNREADABLE_FILE.message("Folder not found: '" + folder + "'."));
        }
        problems.requireMillisecond("rules.watch-interval", rules.watchInterval());
    }

    private void check(QueryProperties query) {
        problems.requireAtLeast("query.max-records", query.maxRecords(), 1);
        problems.requireAtLeast("query.max-concurrent", query.maxConcurrent(), 1);
        problems.requireAtLeast("query.max-waiting", query.maxWaiting(), 1);
        if (!query.timeout().isPositive() || query.timeout().compareTo(query.maxTimeout()) > 0) {
            problems.add(
                    "query.timeout",
                    INVALID_DURATION.message("Invalid duration '" + DurationText.of(query.timeout())
                            + "'. Use a duration above 0 and up to 'query.max-timeout', "
                            + DurationText.of(query.maxTimeout()) + "."));
        }
    }

    private void check(StreamProperties web) {
        if (!BASE_PATH.matcher(web.basePath()).matches()) {
            problems.add(
                    "web.base-path",
                    INVALID_VALUE.message("Invalid path '" + web.basePath()
                            + "'. Use '/' and names of letters, digits, and . _ - only, such as /millrace/api."));
        }
        problems.requireAtLeast("web.max-connections", web.maxConnections(), 1);
        problems.requireAtLeast("web.max-streams", web.maxStreams(), 1);
        problems.requireMillisecond("web.slow-client-timeout", web.slowClientTimeout());
        problems.requireMillisecond("web.request-timeout", web.requestTimeout());
    }
}
