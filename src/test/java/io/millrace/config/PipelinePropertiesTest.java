package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.config.properties.PipelineProperties;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class PipelinePropertiesTest {

    @Test
    void shouldHideSecretsOfTheFeed() {
        MapConfigurationPropertySource source = new MapConfigurationPropertySource(
                Map.of("p.schema", "calls", "p.feed.radius.clients[0].secret", "hush"));

        assertThat(new Binder(source).bindOrCreate("p", PipelineProperties.class))
                .asString()
                .contains("calls", "radius")
                .doesNotContain("hush");
    }

    @Test
    void shouldHideSecretsWhereTheActuatorShowsValues() {
        var hide = new MillraceAutoConfiguration().millraceSecrets();
        SanitizableData secret =
                new SanitizableData(null, "millrace.pipelines.cdr.feed.radius.clients[0].secret", "hush");
        SanitizableData port = new SanitizableData(null, "millrace.pipelines.cdr.feed.radius.port", 1813);

        assertThat(Objects.requireNonNull(hide.apply(secret)).getValue()).isEqualTo(SanitizableData.SANITIZED_VALUE);
        assertThat(Objects.requireNonNull(hide.apply(port)).getValue()).isEqualTo(1813);
    }
}
