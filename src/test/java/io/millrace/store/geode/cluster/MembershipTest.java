package io.millrace.store.geode.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MembershipTest {

    /** In the cluster until it is closed, unless something is thrown whenever it is asked. */
    private record Fake(@Nullable Error thrown) implements Member {

        @Override
        public boolean isOpen() {
            if (thrown != null) {
                throw thrown;
            }
            return true;
        }

        @Override
        public @Nullable String failure() {
            return null;
        }

        @Override
        public void close() {}
    }

    @Test
    void shouldGoOnAfterAnErrorWhileItJoins() {
        AtomicInteger tries = new AtomicInteger();
        shouldBeThereInTheEnd(() -> {
            if (tries.getAndIncrement() == 0) {
                throw new NoClassDefFoundError("org/example/Missing");
            }
            return new Fake(null);
        });
        assertThat(tries).hasValue(2);
    }

    @Test
    void shouldGoOnAfterAnErrorOfAMember() {
        AtomicInteger tries = new AtomicInteger();
        shouldBeThereInTheEnd(() -> new Fake(tries.getAndIncrement() == 0 ? new StackOverflowError("too deep") : null));
        assertThat(tries).hasValue(2);
    }

    private static void shouldBeThereInTheEnd(Supplier<Fake> joining) {
        try (Membership<Fake> membership = new Membership<>("server", joining)) {
            membership.start();
            await().until(membership::state, state -> state.startsWith("can't be in the cluster"));
            assertThat(membership.member()).isNull();
            await().until(membership::state, "is in the cluster"::equals);
            assertThat(membership.member()).isNotNull();
        }
    }
}
