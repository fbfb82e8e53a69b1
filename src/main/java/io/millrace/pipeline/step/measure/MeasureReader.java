package io.millrace.pipeline.step.measure;

import static io.millrace.schema.ProblemCode.CONFLICTING_PROPERTIES;
import static io.millrace.schema.ProblemCode.INVALID_DURATION;
import static io.millrace.schema.ProblemCode.INVALID_NAME;
import static io.millrace.schema.ProblemCode.INVALID_VALUE;
import static io.millrace.schema.ProblemCode.MISSING_VALUE;
import static io.millrace.schema.ProblemCode.NO_EFFECT;
import static io.millrace.schema.ProblemCode.UNKNOWN_NAME;

import io.millrace.background.DurationText;
import io.millrace.extension.PropertyCheck;
import io.millrace.measure.plan.AlertDefinition;
import io.millrace.measure.plan.MeasureDefinition;
import io.millrace.measure.plan.Windows;
import io.millrace.pipeline.step.Target;
import io.millrace.pipeline.step.TargetNames;
import io.millrace.pipeline.step.measure.MeasureStepDefinition.Alert;
import io.millrace.pipeline.step.measure.MeasureStepDefinition.Daily;
import io.millrace.schema.NearestName;
import io.millrace.store.write.WriterName;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads and checks the properties of a measure. */
final class MeasureReader {

    /** Limits memory: all open panes, each with its groups, are in memory. */
    private static final int PANES_MAX = 1000;

    private static final int GROUPS_MAX = 10_000_000;
    private static final int METERS_MAX = 1000;
    private static final int WINDOWS_IN_A_ROW_MAX = 1_000_000;

    private static final Windows STAND_IN = new Windows.Sliding(Duration.ofSeconds(1), 1);

    /** Names are parts of URLs, keys and the names of schemas. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+");

    private static final int NANOS_A_MILLI = 1_000_000;

    private final MeasureStepDefinition properties;
    private final PropertyCheck check;

    /** @param check receives each error; empty is the property of the measure itself */
    MeasureReader(MeasureStepDefinition properties, PropertyCheck check) {
        this.properties = properties;
        this.check = check;
    }

    /** Returns the definition, with substitutes for invalid values. */
    MeasureDefinition read() {
        String name = properties.name();
        if (name == null) {
            check.problem(MISSING_VALUE, "name", "Missing value: the name of the measure.");
            name = "";
        } else if (!NAME.matcher(name).matches()) {
            check.problem(
                    INVALID_NAME, "name", "Invalid measure name '" + name + "'. Use letters, digits, _ and - only.");
        } else if (name.equals(WriterName.REJECTS)) {
            check.problem(
                    INVALID_NAME, "name", "Invalid measure name '" + name + "'. Outputs use it for rejected records.");
        }
        targets(properties.to(), "to");
        check.between("max-groups", properties.maxGroups(), 1, GROUPS_MAX);
        check.between("meters", properties.meters(), 0, METERS_MAX);
        Windows windows = windows();
        return new MeasureDefinition(
                name,
                properties.by(),
                properties.values(),
                windows,
                properties.time(),
                lateness(windows),
                idleTimeout(),
                Math.max(1, properties.maxGroups()),
                TargetNames.of(properties.to()).names(),
                properties.meters(),
                alerts(),
                regions());
    }

    private List<String> regions() {
        return properties.measureTargets().stream()
                .filter(Target.RegionTarget.class::isInstance)
                .map(Target::name)
                .toList();
    }

    private void targets(@Nullable List<String> to, String at) {
        if (to != null) {
            new TargetNames(to).validate(at, check);
        }
    }

    private Windows windows() {
        Duration every = properties.every();
        Daily daily = properties.daily();
        if ((every == null) == (daily == null)) {
            check.problem(
                    every == null ? MISSING_VALUE : CONFLICTING_PROPERTIES,
                    every == null ? "" : "daily",
                    (every == null ? "Missing window. " : "Two kinds of windows. ")
                            + "Set either 'every', such as 10s, or 'daily'.");
            return STAND_IN;
        }
        if (daily != null) {
            if (properties.window() != null) {
                check.problem(NO_EFFECT, "window", "'window' has no effect with 'daily'. Remove one of them.");
            }
            return new Windows.Daily(reset(daily.start()), zone(daily.zone()));
        }
        return sliding(every == null ? Duration.ZERO : every);
    }

    private Windows sliding(Duration every) {
        Duration window = properties.window() == null ? every : properties.window();
        if (!whole("every", every, 1) || !whole("window", window, 1)) {
            return STAND_IN;
        }
        long panes = window.toMillis() / every.toMillis();
        if (panes < 1 || panes * every.toMillis() != window.toMillis()) {
            check.problem(
                    INVALID_DURATION,
                    "window",
                    "Invalid window '" + DurationText.of(window) + "'. Use a multiple of 'every', "
                            + DurationText.of(every) + ".");
            return STAND_IN;
        }
        if (panes > PANES_MAX) {
            check.problem(
                    INVALID_DURATION,
                    "window",
                    "Invalid window '" + DurationText.of(window) + "'. Use at most " + PANES_MAX + " times 'every', "
                            + DurationText.of(every) + ".");
            return STAND_IN;
        }
        return new Windows.Sliding(every, (int) panes);
    }

    private LocalTime reset(String text) {
        try {
            return LocalTime.parse(text);
        } catch (DateTimeException e) {
            check.problem(
                    INVALID_VALUE,
                    "daily.start",
                    "Invalid time of day '" + text + "'. Use hours and minutes, such as 06:30.");
            return LocalTime.MIDNIGHT;
        }
    }

    private ZoneId zone(String text) {
        try {
            return ZoneId.of(text);
        } catch (DateTimeException e) {
            check.problem(
                    UNKNOWN_NAME,
                    "daily.zone",
                    "Unknown time zone '" + text + "'" + NearestName.hint(text, ZoneId.getAvailableZoneIds())
                            + " Use a name such as Europe/Istanbul.");
            return ZoneOffset.UTC;
        }
    }

    private Duration lateness(Windows windows) {
        Duration lateness = properties.allowedLateness();
        if (lateness == null) {
            return Duration.ZERO;
        }
        if (properties.time() == null) {
            check.problem(
                    NO_EFFECT,
                    "allowed-lateness",
                    "'allowed-lateness' has no effect without 'time'. Add 'time', or remove it.");
        }
        if (!whole("allowed-lateness", lateness, 0)) {
            return Duration.ZERO;
        }
        if (windows instanceof Windows.Sliding(Duration every, var ignoredPanes)
                && lateness.toMillis() / every.toMillis() > PANES_MAX) {
            check.problem(
                    INVALID_DURATION,
                    "allowed-lateness",
                    "Invalid duration '" + DurationText.of(lateness) + "'. Use at most " + PANES_MAX
                            + " times 'every', " + DurationText.of(every) + ".");
        }
        return lateness;
    }

    private @Nullable Duration idleTimeout() {
        Duration timeout = properties.idleTimeout();
        if (timeout == null) {
            return null;
        }
        if (properties.time() == null) {
            check.problem(
                    NO_EFFECT,
                    "idle-timeout",
                    "'idle-timeout' has no effect without 'time'. Add 'time', or remove it.");
        }
        return whole("idle-timeout", timeout, 1) ? timeout : null;
    }

    /** Requires a duration of whole milliseconds. Returns whether it is valid. */
    private boolean whole(String property, Duration duration, int minMillis) {
        boolean valid =
                duration.toNanosPart() % NANOS_A_MILLI == 0 && duration.compareTo(Duration.ofMillis(minMillis)) >= 0;
        if (!valid) {
            check.problem(
                    INVALID_DURATION,
                    property,
                    "Invalid duration '" + DurationText.of(duration) + "'. Use whole milliseconds, "
                            + (minMillis == 0 ? "0" : DurationText.of(Duration.ofMillis(minMillis))) + " or more.");
        }
        return valid;
    }

    private List<AlertDefinition> alerts() {
        List<AlertDefinition> alerts = new ArrayList<>();
        properties.alerts().forEach((name, alert) -> alerts.add(alert(name, alert)));
        return alerts;
    }

    private AlertDefinition alert(String name, Alert alert) {
        String at = "alerts." + name;
        if (!NAME.matcher(name).matches()) {
            check.problem(INVALID_NAME, at, "Invalid alert name '" + name + "'. Use letters, digits, _ and - only.");
        }
        targets(alert.to(), at + ".to");
        check.between(at + ".raise-after", alert.raiseAfter(), 1, WINDOWS_IN_A_ROW_MAX);
        check.between(at + ".clear-after", alert.clearAfter(), 1, WINDOWS_IN_A_ROW_MAX);
        return new AlertDefinition(
                name,
                required(alert.when(), at + ".when"),
                alert.until(),
                alert.raiseAfter(),
                alert.clearAfter(),
                TargetNames.of(alert.to()).names());
    }

    private String required(@Nullable String condition, String at) {
        if (condition == null) {
            check.problem(MISSING_VALUE, at, "Missing value: a condition on the values of a group.");
            return "false";
        }
        return condition;
    }
}
