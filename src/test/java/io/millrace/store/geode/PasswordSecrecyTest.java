package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.awaitility.Awaitility.await;

import io.millrace.FreePort;
import java.nio.file.Path;
import org.apache.geode.internal.net.SocketCreatorFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is readable of the datagrams by which a member with a password joins: TLS does not apply to them. */
@Tag("long")
class PasswordSecrecyTest {

    private static final String NAME_OF_PASSWORD = "security-password";

    @TempDir
    Path folder;

    @BeforeAll
    static void listen() {
        SentDatagrams.record();
    }

    @BeforeEach
    @AfterEach
    void reset() {
        System.clearProperty(ForkedMember.KEYS);
        SocketCreatorFactory.close(); // it keeps the settings of earlier tests
    }

    @Test
    void shouldNotSendAPasswordInClearWithTls() throws Exception {
        System.setProperty(ForkedMember.KEYS, ForkedMember.selfSigned(folder).toString());

        int sent = join();

        assertThat(SentDatagrams.text().substring(sent))
                .isNotEmpty()
                .doesNotContain(NAME_OF_PASSWORD, "security-username", "peer");
    }

    /** Without TLS, it is readable: this shows that the other test would see it. */
    @Test
    void shouldSeeThePasswordWithoutTls() throws Exception {
        int sent = join();

        assertThat(SentDatagrams.text().substring(sent)).contains(NAME_OF_PASSWORD, "peer");
    }

    /** Joins a cluster and leaves it, and returns the number of bytes sent before. */
    private int join() throws Exception {
        int before = SentDatagrams.text().length();
        int locator = FreePort.next();
        try (ForkedMember _ = ForkedMember.guardedLocator(folder, locator).awaitReady();
                GeodeStore store = ForkedMember.join("guarded-one", "a", locator)) {
            await().untilAsserted(() -> assertThatCode(store::requireAvailable).doesNotThrowAnyException());
        }
        return before;
    }
}
