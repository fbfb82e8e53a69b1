package io.millrace.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Testcontainers;

/** {@link InnerNetwork} next to networks that others left. */
@Testcontainers(disabledWithoutDocker = true)
class InnerNetworkIT {

    @Test
    void shouldHaveARangeThatNoOtherNetworkHas() {
        try (InnerNetwork first = InnerNetwork.create();
                InnerNetwork second = InnerNetwork.create()) {
            assertThat(second.prefix()).isNotEqualTo(first.prefix());
            assertThat(second.address(2)).isEqualTo(second.prefix() + "2");
            assertThat(second.network().getId()).isNotEqualTo(first.network().getId());
        }
    }
}
