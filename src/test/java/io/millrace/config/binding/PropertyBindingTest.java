package io.millrace.config.binding;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.config.properties.MillraceProperties;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.springframework.mock.env.MockEnvironment;

class PropertyBindingTest {

    /** The class path has a folder of the same name. */
    @Test
    void shouldBindARelativePathToTheFileOfThatName() {
        assertThat(getClass().getResource("/schemas")).isNotNull();
        MillraceProperties properties = PropertyBinding.bind(new MockEnvironment()
                .withProperty("millrace.schemas", "schemas")
                .withProperty("millrace.data", "/somewhere/data"));
        assertThat(properties.schemas()).isEqualTo(Path.of("schemas"));
        assertThat(properties.data()).isEqualTo(Path.of("/somewhere/data"));
        assertThat(PropertyBinding.bind(new MockEnvironment()).schemas()).isEqualTo(Path.of("schemas"));
    }

    @Test
    void shouldResolvePlaceholdersInPaths() {
        MockEnvironment environment =
                new MockEnvironment().withProperty("home", "here").withProperty("millrace.schemas", "${home}/schemas");
        assertThat(PropertyBinding.bind(environment).schemas()).isEqualTo(Path.of("here/schemas"));
    }
}
