package io.millrace.store.geode;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.millrace.FreePort;
import io.millrace.store.geode.cache.ClusterOptions.Address;
import io.millrace.store.geode.cluster.LocatorProbe;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocatorProbeTest {

    @TempDir
    Path folder;

    /** Also by one that authenticates members and clients. */
    @Test
    void shouldBeAnsweredByALocator() throws Exception {
        int port = FreePort.next();
        try (ForkedMember _ = ForkedMember.guardedLocator(folder, port).awaitReady()) {
            assertThatCode(() -> LocatorProbe.requireAnswer(
                            new Address("127.0.0.1", port), SocketFactory.getDefault(), Duration.ofMinutes(1)))
                    .doesNotThrowAnyException();
        }
    }
}
