package io.millrace.config.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.web.access.AccessOptions;
import io.millrace.web.access.AccessUser;
import io.millrace.web.access.Passwords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.mock.env.MockEnvironment;

class SecurityReaderTest {

    private static final String USER = "millrace.security.users.anna.";

    @TempDir
    Path folder;

    private static MockEnvironment at(String address) {
        return new MockEnvironment().withProperty("server.address", address);
    }

    private static void refused(MockEnvironment environment, String... words) {
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> SecurityReader.read(environment))
                .withMessageContainingAll(words);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1", "localhost"})
    void shouldBeOpenOnLoopbackWithoutUsers(String address) {
        assertThat(SecurityReader.read(at(address)).open()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "10.1.2.3", "", "no-such-host.invalid"})
    void shouldRefuseOtherAddressesWithoutUsers(String address) {
        refused(at(address), "server.address", "users.admin", "password-file", "role: admin", "open: true");
    }

    @Test
    void shouldRefuseAllAddresses() {
        refused(new MockEnvironment(), "server.address");
    }

    @Test
    void shouldMakeAUserForTheSampleOnOtherAddresses() {
        MockEnvironment sample = at("0.0.0.0");
        SamplePipelines.sources().forEach(sample.getPropertySources()::addLast);

        AccessOptions options = SecurityReader.read(sample);
        assertThat(options.open()).isFalse();
        assertThat(options.users()).singleElement().hasToString("sample (operator)");
        assertThat(SecurityReader.read(sample).users()).isNotEqualTo(options.users());

        MockEnvironment local = at("127.0.0.1");
        SamplePipelines.sources().forEach(local.getPropertySources()::addLast);
        assertThat(SecurityReader.read(local).open()).isTrue();
        refused(sample.withProperty("millrace.regions.mine.layout", "blocks"), "server.address");
    }

    @Test
    void shouldBeOpenElsewhereWhereThatIsSaid() {
        assertThat(SecurityReader.read(at("0.0.0.0").withProperty("millrace.security.open", "true"))
                        .open())
                .isTrue();
    }

    @Test
    void shouldNotBeOpenWithUsersOrAnIssuer() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "a password of some length\n");
        AccessOptions options = SecurityReader.read(at("0.0.0.0")
                .withProperty(USER + "password-file", file.toString())
                .withProperty(USER + "role", "viewer"));
        assertThat(options.open()).isFalse();
        assertThat(options.users())
                .singleElement()
                .satisfies(user -> assertThat(Passwords.isHash(String.valueOf(user.passwordHash())))
                        .isTrue());
        assertThat(options.toString()).contains("anna").doesNotContain("$2");

        assertThat(SecurityReader.read(at("0.0.0.0")
                                .withProperty(
                                        "spring.security.oauth2.resourceserver.jwt.issuer-uri",
                                        "https://issuer.example")
                                .withProperty("spring.security.oauth2.resourceserver.jwt.audiences", "millrace"))
                        .open())
                .isFalse();
    }

    @Test
    void shouldRefuseUsersThatAreNotComplete() {
        refused(at("127.0.0.1").withProperty(USER + "role", "viewer"), "anna", "password-file");
        refused(
                at("127.0.0.1").withProperty(USER + "password", "secret").withProperty(USER + "role", "viewer"),
                "bcrypt");
        refused(at("127.0.0.1").withProperty(USER + "password", Passwords.hash("a password of some length")), "role");
        refused(
                at("127.0.0.1")
                        .withProperty(
                                USER + "password-file", folder.resolve("none").toString())
                        .withProperty(USER + "role", "viewer"),
                "password-file");
        refused(at("127.0.0.1").withProperty(USER + "role", "king"), "viewer");
    }

    @Test
    void shouldTakeNamesOfAnyCharactersInBrackets() {
        String user = "millrace.security.users[anna.smith@example.com].";
        assertThat(SecurityReader.read(at("127.0.0.1")
                                .withProperty(user + "password", Passwords.hash("a password of some length"))
                                .withProperty(user + "role", "viewer"))
                        .users())
                .extracting(AccessUser::name)
                .containsExactly("anna.smith@example.com");
    }

    @Test
    void shouldRefuseShortPasswords() throws IOException {
        Path file = Files.writeString(folder.resolve("secret"), "short\n");
        refused(
                at("127.0.0.1")
                        .withProperty(USER + "password-file", file.toString())
                        .withProperty(USER + "role", "viewer"),
                "5 characters");
    }

    @Test
    void shouldRefuseToBeOpenWithUsers() {
        refused(
                at("127.0.0.1")
                        .withProperty("millrace.security.open", "true")
                        .withProperty(USER + "password", Passwords.hash("a password of some length"))
                        .withProperty(USER + "role", "viewer"),
                "open");
    }

    @Test
    void shouldRefuseAnOpenManagementPortWithoutUsers() {
        refused(at("127.0.0.1").withProperty("management.server.port", "9000"), "management.server.address");
        assertThat(SecurityReader.read(at("127.0.0.1")
                                .withProperty("management.server.port", "9000")
                                .withProperty(USER + "password", Passwords.hash("a password of some length"))
                                .withProperty(USER + "role", "viewer"))
                        .users())
                .hasSize(1);
        assertThat(SecurityReader.read(at("127.0.0.1")
                                .withProperty("management.server.port", "9000")
                                .withProperty("management.server.address", "127.0.0.1"))
                        .open())
                .isTrue();
    }

    @Test
    void shouldReadWhatTheGuideShows() throws IOException {
        String guide = Files.readString(Path.of("docs/guides/security.md"));
        int start = guide.indexOf("```yaml\n") + "```yaml\n".length();
        String shown = guide.substring(start, guide.indexOf("```", start));
        String secret = Files.writeString(folder.resolve("secret"), "a password of some length")
                .toString();
        MockEnvironment environment = new MockEnvironment();
        for (PropertySource<?> source : new YamlPropertySourceLoader()
                .load(
                        "guide",
                        new ByteArrayResource(shown.replaceAll("/run/secrets/(anna|prometheus)", secret)
                                .getBytes(StandardCharsets.UTF_8)))) {
            environment.getPropertySources().addFirst(source);
        }

        assertThat(SecurityReader.read(environment).users())
                .extracting(AccessUser::toString)
                .containsExactly("anna (admin)", "prometheus (viewer)");
    }

    @Test
    void shouldRefuseAnIssuerWithoutAnAudience() {
        refused(
                at("127.0.0.1")
                        .withProperty("spring.security.oauth2.resourceserver.jwt.issuer-uri", "https://issuer.example"),
                "audiences");
    }

    @Test
    void shouldNotBeOpenWithAnIdentityProvider() {
        String registration = "spring.security.oauth2.client.registration.plant.";
        assertThat(SecurityReader.read(at("0.0.0.0")
                                .withProperty(registration + "client-id", "millrace")
                                .withProperty(registration + "scope", "openid,profile"))
                        .open())
                .isFalse();
        refused(at("0.0.0.0").withProperty(registration + "scope", "openid"), "plant.client-id");
        refused(at("0.0.0.0").withProperty(registration + "client-id", "millrace"), "plant.scope", "openid");
    }

    @Test
    void shouldRequireATruststoreAndClientAuthenticationForCertificates() {
        String bundle = "spring.ssl.bundle.pem.webTls.";
        refused(certificateUser(), "server.ssl.bundle", "truststore", "server.ssl.client-auth");
        refused(certificateUser().withProperty("server.ssl.client-auth", "want"), "truststore");
        refused(
                certificateUser()
                        .withProperty("server.ssl.client-auth", "want")
                        .withProperty("server.ssl.bundle", "webTls")
                        .withProperty(bundle + "keystore.certificate", "web.crt"),
                "truststore");
        refused(
                certificateUser()
                        .withProperty("server.ssl.client-auth", "need")
                        .withProperty("server.ssl.bundle", "webTls")
                        .withProperty(bundle + "truststore.certificate", "ca.crt")
                        .withProperty(USER + "password", Passwords.hash("a password of some length")),
                "anna",
                "either 'certificate' or a password");

        assertThat(SecurityReader.read(certificateUser()
                                .withProperty("server.ssl.client-auth", "need")
                                .withProperty("server.ssl.bundle", "webTls")
                                .withProperty(bundle + "truststore.certificate", "ca.crt"))
                        .users())
                .extracting(AccessUser::passwordHash)
                .containsExactly((String) null);
    }

    private static MockEnvironment certificateUser() {
        return at("0.0.0.0").withProperty(USER + "certificate", "true").withProperty(USER + "role", "viewer");
    }
}
