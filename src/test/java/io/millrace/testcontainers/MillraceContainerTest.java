package io.millrace.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Settings of containers, which are not started. */
class MillraceContainerTest {

    @Test
    void shouldGiveItsStartupTimeoutToTheServersOfItsCluster() {
        Duration timeout = Duration.ofMinutes(9);
        MillraceContainer<?> locator = new GeodeClusterContainer("millrace").withStartupTimeout(timeout);
        MillraceContainer<?> server = new MillraceContainer<>("millrace");

        locator.giveTo(server);

        for (MillraceContainer<?> container : new MillraceContainer<?>[] {locator, server}) {
            assertThat(container).extracting("waitStrategy.startupTimeout").isEqualTo(timeout);
        }
    }
}
