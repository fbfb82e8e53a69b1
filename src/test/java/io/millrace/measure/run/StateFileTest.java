package io.millrace.measure.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.store.error.StoreException;
import io.millrace.store.write.StateStore;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class StateFileTest {

    private static final int LENGTH = 3_500_000;

    private static final Term TERM = new Term(WriterName.of("trades", 0), false, 3, 1, "token");

    private final Map<String, byte[]> kept = new HashMap<>();
    private int putsLeft = Integer.MAX_VALUE;

    private final StateStore store = new StateStore() {
        @Override
        public byte @Nullable [] get(String key) {
            return kept.get(key);
        }

        @Override
        public void put(String key, byte[] value, Term term) {
            if (putsLeft-- == 0) {
                throw new StoreException("enough");
            }
            kept.put(key, value.clone());
        }

        @Override
        public void remove(String key, Term term) {
            kept.remove(key);
        }

        @Override
        public boolean lasting() {
            return true;
        }
    };

    private static byte[] content(int seed) {
        byte[] content = new byte[LENGTH];
        new Random(seed).nextBytes(content);
        return content;
    }

    private StateFile file(long fingerprint) {
        return new StateFile(store, "m", fingerprint);
    }

    /** A file that was opened, as whatever puts states is. */
    private StateFile opened() {
        StateFile file = file(7);
        file.open(TERM, in -> {});
        return file;
    }

    private static void put(StateFile file, int state) {
        file.put(file.seal(state, out -> out.write(content(state))), TERM);
    }

    /** The position of the state that is read, which must be whole. */
    private int read() {
        return (int) file(7).open(TERM, in -> {
            byte[] read = in.readAllBytes();
            int position = (int) java.nio.ByteBuffer.wrap(kept.getOrDefault("m", new byte[0]))
                    .getLong(16);
            assertThat(read).isEqualTo(content(position));
        });
    }

    @Test
    void shouldBeReadAsItWasPut() {
        assertThat(file(7).open(TERM, in -> {
                    throw new AssertionError();
                }))
                .isZero();
        put(opened(), 1);
        assertThat(read()).isEqualTo(1);
        assertThat(new TreeMap<>(kept)).containsOnlyKeys("m", "m/1/0", "m/1/1", "m/1/2", "m/1/3");
    }

    @Test
    void shouldKeepTheStateBeforeWhereverPuttingFails() {
        StateFile file = opened();
        put(file, 1);
        int whole = 1;
        for (int puts = 0; puts < 5; puts++) {
            putsLeft = puts;
            int next = 2 + puts;
            assertThatExceptionOfType(StoreException.class).isThrownBy(() -> put(file, next));
            assertThat(read()).isEqualTo(whole);
            putsLeft = Integer.MAX_VALUE;
            if (puts % 2 == 0) {
                put(file, 100 + puts);
                whole = 100 + puts;
                assertThat(read()).isEqualTo(whole);
            }
        }
    }

    @Test
    void shouldRefuseAStateOfVersion1AndLeaveItAsItIs() {
        put(opened(), 1);
        byte[] header = kept.getOrDefault("m", new byte[0]);
        header[3] = 1;
        Map<String, byte[]> before = new HashMap<>(kept);
        assertThatIllegalStateException()
                .isThrownBy(() -> file(7).open(TERM, in -> {
                    throw new AssertionError();
                }))
                .withMessage("Unknown version '1' of the state of measure 'm'. This Millrace reads version 2. Give this"
                        + " measure another name, so that it begins with a new state.");
        assertThat(kept).containsExactlyInAnyOrderEntriesOf(before);
    }

    @Test
    void shouldRefuseWhatIsDamagedOrAnothers() {
        put(opened(), 1);
        assertThatIllegalStateException()
                .isThrownBy(() -> file(8).open(TERM, in -> {}))
                .withMessageContaining("another definition");
        for (String key : List.copyOf(kept.keySet())) {
            byte[] good = kept.getOrDefault(key, new byte[0]).clone();
            for (int at : new int[] {0, 3, 5, 9, 20, 30, good.length - 1}) {
                byte[] bad = good.clone();
                bad[at] ^= 1;
                kept.put(key, bad);
                assertThatIllegalStateException().as(key + " " + at).isThrownBy(() -> file(7).open(TERM, in -> {}));
            }
            kept.put(key, good);
        }
        kept.remove("m/1/2");
        assertThatIllegalStateException()
                .isThrownBy(() -> file(7).open(TERM, in -> {}))
                .withMessageContaining("piece 2 is missing");
    }
}
