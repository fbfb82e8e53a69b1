package io.millrace.config;

import io.millrace.config.plan.Setup;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.Role;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.step.ExplainedExpression;
import io.millrace.pipeline.step.StepPlan;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.reject.Reject;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/** Logs, after the start is complete, what this process runs and at which addresses it is reached. */
final class StartSummary implements ApplicationListener<ApplicationReadyEvent> {

    private static final Logger LOG = LoggerFactory.getLogger(StartSummary.class);

    /** Limits the log, as there may be hundreds of rules. {@code /api/pipelines/NAME/explain} returns all of them. */
    private static final int RULES_MAX = 20;

    private final MillraceProperties properties;
    private final @Nullable ClusterOptions cluster;
    private final @Nullable Setup setup;
    private final Environment environment;

    /**
     * @param cluster options of the cluster; null if this process uses no cluster
     * @param setup checked configuration; null for a locator
     */
    StartSummary(
            MillraceProperties properties,
            @Nullable ClusterOptions cluster,
            @Nullable Setup setup,
            Environment environment) {
        this.properties = properties;
        this.cluster = cluster;
        this.setup = setup;
        this.environment = environment;
    }

    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        lines().forEach(line -> LOG.info("{}", line));
    }

    /** Returns the lines to log. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(role());
        if (setup != null) {
            if (properties.role() == Role.INGEST) {
                pipelines(setup, lines);
            }
            lines.add(regions(setup));
            if (!setup.outputs().isEmpty()) {
                lines.add(outputs(setup));
            }
        }
        String port = environment.getProperty("local.server.port");
        if (port != null) {
            String api = properties.web().basePath();
            lines.add("HTTP at " + environment.getProperty("server.address", "*") + ":" + port + ": "
                    + (setup == null ? "" : "/ for the page, " + api + "/pipelines, " + api + "/regions, ")
                    + "/actuator/health, /actuator/prometheus");
        }
        return lines;
    }

    private String role() {
        if (cluster == null) {
            return "runs pipelines, stores regions in this process, disk stores in " + properties.data();
        }
        String of = " of the cluster at "
                + cluster.locators().stream().map(StartSummary::address).collect(Collectors.joining(", "));
        return switch (properties.role()) {
            case INGEST -> "runs pipelines, is a client" + of;
            case SERVER ->
                "is " + named("server", cluster) + of + ", stores its regions, disk stores in " + properties.data();
            case LOCATOR -> "is " + named("locator", cluster) + of;
        };
    }

    private static String named(String what, ClusterOptions member) {
        return (member.name() == null ? "a " + what : what + " " + member.name()) + ", port " + member.port() + ",";
    }

    private static String address(Address address) {
        return address.host() + ":" + address.port();
    }

    private void pipelines(Setup setup, List<String> lines) {
        int rules = 0;
        for (PipelinePlan pipeline : setup.pipelines()) {
            lines.add("pipeline " + pipeline.name() + ": "
                    + pipeline.definition().feed().describe() + ", schema "
                    + pipeline.schema().name() + ", rejects to "
                    + pipeline.definition().rejectsRegion()
                    + pipeline.definition().rejectOutputs().stream()
                            .map(output -> ", " + output.text())
                            .collect(Collectors.joining())
                    + (pipeline.definition().keepRaw() == null
                            ? ""
                            : ", raw records to " + pipeline.definition().keepRaw()));
            for (StepPlan step : pipeline.steps()) {
                if (++rules <= RULES_MAX) {
                    lines.add("  " + rule(step));
                }
            }
        }
        if (rules > RULES_MAX) {
            lines.add("  … and " + (rules - RULES_MAX) + " rules more: "
                    + properties.web().basePath() + "/pipelines/NAME/explain");
        }
    }

    private static String rule(StepPlan step) {
        return step.name()
                + step.explanation().expressions().stream()
                        .map(one -> " " + expression(step, one))
                        .collect(Collectors.joining(","));
    }

    /** Includes the role unless the step's name implies it. */
    private static String expression(StepPlan step, ExplainedExpression one) {
        return Stream.of(
                        one.role().equals(step.kind()) ? null : one.role(),
                        one.explanation() == null ? null : one.explanation().expression(),
                        one.target() == null ? null : "→ " + one.target())
                .filter(Objects::nonNull)
                .collect(Collectors.joining(" "));
    }

    private static String regions(Setup setup) {
        return setup.regions().stream()
                .map(region -> Reject.isStoredIn(region) ? region.name() + " (rejects)" : region(region))
                .collect(Collectors.joining(", ", "regions: ", ""));
    }

    private static String outputs(Setup setup) {
        return setup.outputs().entrySet().stream()
                .map(output -> output.getKey() + " (" + output.getValue().describe() + ")")
                .collect(Collectors.joining(", ", "outputs: ", ""));
    }

    private static String region(RegionDefinition region) {
        return region.name() + " (" + region.layout().tag() + " of "
                + region.schema().name()
                + (region.copies() == 0 ? "" : ", copies " + region.copies())
                + (region.persistent() ? ", on disk" : "") + ")";
    }
}
