package io.millrace.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.config.properties.PipelineProperties;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ConfigurationCheckTest {

    private static final String STEP = "millrace.pipelines.trades.steps[0].filter";

    /** The configuration is bound once: it takes most of the time of a check with many steps. */
    @Test
    void shouldReturnThePropertiesThatItChecked() {
        AtomicInteger reads = new AtomicInteger();
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("counted", Map.of(STEP, "amount1 > 5")) {
            @Override
            public @Nullable Object getProperty(String name) {
                if (name.equals(STEP)) {
                    reads.incrementAndGet();
                }
                return super.getProperty(name);
            }
        });

        int readsOfOneBinding = readsOfOneBinding(environment, reads);
        var properties = ConfigurationCheck.requirePipelines(environment, List.of());

        assertThat(properties.pipelines().values())
                .extracting(PipelineProperties::steps)
                .containsExactly(List.of(Map.of("filter", "amount1 > 5")));
        assertThat(reads).hasValue(readsOfOneBinding);
    }

    private static int readsOfOneBinding(StandardEnvironment environment, AtomicInteger reads) {
        PropertyBinding.bind(environment);
        return reads.getAndSet(0);
    }
}
