package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.PipelineProperties;
import io.millrace.config.properties.RegionProperties;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What editors offer when somebody writes a configuration. */
class ConfigurationMetadataTest {

    record Metadata(List<Map<String, Object>> properties) {}

    private static Map<String, Map<String, Object>> properties() throws IOException {
        try (InputStream in =
                MillraceProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            Metadata metadata = JsonMapper.builder()
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .build()
                    .readValue(in, Metadata.class);
            return metadata.properties().stream()
                    .collect(Collectors.toMap(property -> String.valueOf(property.get("name")), property -> property));
        }
    }

    @Test
    void shouldDescribeEveryProperty() throws IOException {
        assertThat(properties())
                .containsKeys(
                        "millrace.data-reserve",
                        "millrace.enabled",
                        "millrace.geode.locators",
                        "millrace.page.replay",
                        "millrace.pipelines",
                        "millrace.query.max-timeout",
                        "millrace.regions",
                        "millrace.rules.watch",
                        "millrace.security.users",
                        "millrace.tables",
                        "millrace.web.slow-client-timeout")
                .allSatisfy((name, property) -> assertThat(String.valueOf(property.get("description")))
                        .as(name)
                        .hasSizeGreaterThan(15));
        assertThat(properties().get("millrace.latency")).containsEntry("defaultValue", "5ms");
    }

    /** The format has no names below a map's keys: editors take those of the class that it names. */
    @Test
    void shouldNameTheClassOfMapValues() throws IOException {
        assertThat(properties().get("millrace.pipelines"))
                .containsEntry("type", "java.util.Map<java.lang.String," + PipelineProperties.class.getName() + ">");
        assertThat(properties().get("millrace.regions"))
                .containsEntry("type", "java.util.Map<java.lang.String," + RegionProperties.class.getName() + ">");
    }
}
