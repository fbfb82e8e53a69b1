package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import io.millrace.store.geode.cache.GeodeOptions;
import io.millrace.store.geode.cluster.LocatorService;
import java.nio.file.Path;
import org.apache.geode.internal.net.SocketCreatorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
    void shouldServeAClient() throws Exception {
        try (ForkedMember _ = ForkedMember.server("one", "a", locator).awaitReady();
                GeodeStore store =
                        new GeodeStore(GeodeOptions.client(ForkedMember.client(locator)), ForkedMember.FUNCTIONS)) {
            assertThat(store.openFound(ForkedMember.LONG).name()).isEqualTo(ForkedMember.LONG);
        }
    }
}
