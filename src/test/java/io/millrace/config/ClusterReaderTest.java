package io.millrace.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.PropertyBinding;
import io.millrace.config.properties.Role;
import io.millrace.store.geode.access.User;
import io.millrace.store.geode.access.UserRole;
import io.millrace.store.geode.cache.ClusterOptions;
import io.millrace.store.geode.cache.ClusterOptions.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ClusterReaderTest {

    @TempDir
    Path folder;

    private static ClusterOptions read(Map<String, String> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .addFirst(new MapPropertySource(
                        "test",
                        properties.entrySet().stream()
                                .collect(Collectors.toMap(
                                        entry -> "millrace.geode." + entry.getKey(), Map.Entry::getValue))));
        GeodeConnectionDetails locator = () -> List.of("localhost:10334");
        return Objects.requireNonNull(
                new ClusterReader(PropertyBinding.bind(environment).geode(), Role.SERVER, List.of(locator), _ -> {
                            throw new AssertionError("no TLS");
                        })
                        .read());
    }

    private String file(String text) throws IOException {
        return Files.writeString(folder.resolve("password"), text).toString();
    }

    @Test
    void shouldReadPasswordsFromFiles() throws IOException {
        String file = file("a secret \n");
        ClusterOptions options = read(Map.of(
                "credentials.name", "server",
                "credentials.password-file", file,
                "users.server.password-file", file,
                "users.server.role", "member",
                "users.desk.password", "another",
                "users.desk.role", "reader"));
        assertThat(options.credentials()).isEqualTo(new Credentials("server", "a secret"));
        assertThat(options.users())
                .containsEntry("server", new User("a secret", UserRole.MEMBER))
                .containsEntry("desk", new User("another", UserRole.READER));
    }

    @Test
    void shouldRefusePasswordsThatAreMissingTwiceOrEmpty() throws IOException {
        assertRefused(Map.of("credentials.name", "a"), "Missing value: 'name', and 'password' or 'password-file'.");
        assertRefused(
                Map.of("credentials.name", "a", "credentials.password", "b", "credentials.password-file", file("b")),
                "Too many properties. Use either 'password' or 'password-file'.");
        assertRefused(
                Map.of("users.a.role", "reader", "users.a.password-file", file(" \n")), "Write the password into it.");
        assertRefused(
                Map.of(
                        "users.a.role",
                        "reader",
                        "users.a.password-file",
                        folder.resolve("none").toString()),
                "millrace.geode.users.a.password-file");
        assertRefused(Map.of("users.a.role", "reader"), "Missing value: 'password' or 'password-file', and 'role'");
    }

    private static void assertRefused(Map<String, String> properties, String message) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> read(properties))
                .withMessageContaining(message);
    }
}
