package io.millrace.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ExtensionBinderTest {

    private int listings;

    private ExtensionBinder binder() {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(
                        new MapPropertySource(
                                "test",
                                Map.of(
                                        "millrace.pipelines.My_Trades.steps[0].to", "all",
                                        "millrace.pipelines.calls.schema", "trade",
                                        "millrace.outputs.Files.file.path", "out")) {
                            @Override
                            public String[] getPropertyNames() {
                                listings++;
                                return super.getPropertyNames();
                            }
                        });
        ConfigurationPropertySources.attach(environment);
        return new ExtensionBinder(environment);
    }

    @Test
    void shouldFindPathsAsNamesAreWritten() {
        ExtensionBinder binder = binder();

        assertThat(binder.path("My_Trades")).hasToString("millrace.pipelines.mytrades");
        assertThat(binder.path("calls")).hasToString("millrace.pipelines.calls");
        assertThat(binder.path(ExtensionBinder.OUTPUTS, "Files")).hasToString("millrace.outputs.files");
        assertThatIllegalStateException()
                .isThrownBy(() -> binder.path("my-trades"))
                .withMessageContaining("'my-trades'");
    }

    /** Each step and each pipeline needs a path, so the time would grow with the square of their number. */
    @Test
    void shouldListThePropertiesOnce() {
        ExtensionBinder binder = binder();
        var _ = binder.path("My_Trades");
        int once = listings;
        for (int i = 0; i < 1000; i++) {
            assertThat(binder.path("calls")).isNotNull();
        }
        assertThat(once).isPositive();
        assertThat(listings).isEqualTo(once);
    }
}
