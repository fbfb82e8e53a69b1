package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cluster.LocatorProbe;
import io.millrace.store.geode.cluster.LocatorService;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.SocketFactory;
import javax.net.ssl.SSLSocketFactory;
import org.apache.geode.internal.net.SocketCreatorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.jks.JksSslStoreBundle;
import org.springframework.boot.ssl.jks.JksSslStoreDetails;

/** A cluster whose connections are encrypted, with certificates of both sides. */
@Tag("long")
class EncryptedClusterTest {

    @TempDir
    Path folder;

    private int locator;

    @SuppressWarnings("NullAway.Init") // set before each test
    private ForkedMember locatorMember;

    @BeforeEach
    void start() throws Exception {
        SocketCreatorFactory.close(); // it keeps the settings of earlier tests
        System.setProperty(ForkedMember.KEYS, ForkedMember.selfSigned(folder).toString());
        locator = FreePort.next();
        locatorMember = ForkedMember.locator(folder, locator).awaitReady();
    }

    @AfterEach
    void stop() {
        locatorMember.close();
        System.clearProperty(ForkedMember.KEYS);
        SocketCreatorFactory.close();
    }

    /** Its port is probed with its own certificate. */
    @Test
    void shouldBeReady() throws Exception {
        try (GeodeStore store = ForkedMember.join("one", "a", locator)) {
            await().untilAsserted(() -> assertThatCode(store::requireAvailable).doesNotThrowAnyException());
        }
    }

    @Test
    void shouldBeReadyAsALocator() throws Exception {
        int port = FreePort.next();
        try (LocatorService service = new LocatorService(folder.resolve("here"), ForkedMember.locatorOptions(port))) {
            await().untilAsserted(
                            () -> assertThatCode(service::requireAvailable).doesNotThrowAnyException());
        }
    }

    @Test
    void shouldAnswerTheCheckOfConnections() throws Exception {
        JksSslStoreDetails keys = JksSslStoreDetails.forLocation(System.getProperty(ForkedMember.KEYS))
                .withPassword(ForkedMember.KEY_PASSWORD);
        SSLSocketFactory encrypted = SslBundle.of(new JksSslStoreBundle(keys, keys))
                .createSslContext()
                .getSocketFactory();
        Address address = new Address("localhost", locator);
        assertThatCode(() -> LocatorProbe.requireAnswer(address, encrypted, Duration.ofMinutes(1)))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> LocatorProbe.requireAnswer(address, SocketFactory.getDefault(), Duration.ofMinutes(1)))
                .hasMessage("No locator at localhost:" + locator + ": it does not answer as a locator. Check the"
                        + " address, and 'millrace.geode.ssl-bundle'.");
    }

    @Test
    void shouldServeAClient() throws Exception {
        try (ForkedMember _ = ForkedMember.server("one", "a", locator).awaitReady();
                GeodeStore store =
                        new GeodeStore(GeodeOptions.client(ForkedMember.client(locator)), ForkedMember.FUNCTIONS)) {
            assertThat(store.openFound(ForkedMember.LONG).name()).isEqualTo(ForkedMember.LONG);
        }
    }
}
