package io.millrace.config.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.PipelineReader;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.properties.MillraceProperties;
import io.millrace.config.properties.StreamProperties;
import io.millrace.expression.function.FunctionRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class StreamPropertiesTest {

    private static MillraceProperties properties(Map<String, Object> values) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", values));
        return PropertyBinding.bind(environment);
    }

    @Test
    void shouldAllowTwoThousandStreamsByDefault() {
        assertThat(properties(Map.of()).web())
                .isEqualTo(new StreamProperties(
                        true, "/api", 4000, 2000, Duration.ofSeconds(60), Duration.ofSeconds(30), List.of()));
        assertThat(properties(Map.of("millrace.web.max-streams", "5")).web().maxStreams())
                .isEqualTo(5);
    }

    @Test
    void shouldRefuseLimitsThatRefuseEverybody() {
        MillraceProperties properties =
                properties(Map.of("millrace.web.max-streams", "0", "millrace.web.slow-client-timeout", "0s"));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> new SetupPlanner(
                                properties, PipelineReader.of(new StandardEnvironment()), FunctionRegistry.empty())
                        .plan())
                .withMessageContaining("millrace.web.max-streams")
                .withMessageContaining("millrace.web.slow-client-timeout")
                .withMessageContaining("Invalid duration '0s'. Use 1ms or more.");
    }

    @ParameterizedTest
    @ValueSource(strings = {"api", "/api/", "/", "/{name}", "/api?x", "/a b"})
    void shouldRefuseBasePathsThatAreNotPlain(String basePath) {
        MillraceProperties properties = properties(Map.of("millrace.web.base-path", basePath));
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> new SetupPlanner(
                                properties, PipelineReader.of(new StandardEnvironment()), FunctionRegistry.empty())
                        .plan())
                .withMessageContaining("millrace.web.base-path")
                .withMessageContaining("Invalid path '" + basePath + "'. Use '/' and names");
    }
}
