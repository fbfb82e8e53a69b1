package io.millrace.observability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The files of the folder {@code observability}. */
public final class Observability {

    /** The folder. */
    public static final Path FOLDER = Path.of("observability");

    private static final Path RULES = FOLDER.resolve("millrace.rules.yml");

    private Observability() {}

    /** Expressions of the dashboard, by panel; its variables stand for all, its interval for ten seconds. */
    public static Map<String, List<String>> dashboard() {
        JsonNode dashboard = JsonMapper.shared().readTree(FOLDER.resolve("dashboard.json"));
        Map<String, List<String>> panels = new LinkedHashMap<>();
        for (JsonNode panel : dashboard.at("/panels")) {
            List<String> expressions = new ArrayList<>();
            for (JsonNode target : panel.at("/targets")) {
                expressions.add(target.at("/expr")
                        .stringValue()
                        .replaceAll("\\$(instance|pipeline)\\b", ".*")
                        .replace("$__rate_interval", "10s"));
            }
            panels.put(panel.at("/title").stringValue(), expressions);
        }
        return panels;
    }

    /** Expressions of the alerts, by name. */
    public static Map<String, String> alerts() throws IOException {
        Map<String, List<Map<String, List<Map<String, Object>>>>> file = new Yaml().load(Files.readString(RULES));
        Map<String, String> alerts = new LinkedHashMap<>();
        for (Map<String, List<Map<String, Object>>> group : Objects.requireNonNull(file.get("groups"))) {
            // A group has a name besides, which is no list.
            for (Map<String, Object> rule : Objects.requireNonNull(group.get("rules"))) {
                alerts.put(String.valueOf(rule.get("alert")), String.valueOf(rule.get("expr")));
            }
        }
        return alerts;
    }

    /** The rules for who can't wait: they look back ten seconds, and fire after two. */
    public static String impatientRules() throws IOException {
        return Files.readString(RULES).replaceAll("\\[\\d+m]", "[10s]").replaceAll("for: \\d+m", "for: 2s");
    }
}
