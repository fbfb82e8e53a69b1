package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.millrace.nemesis.Mutations;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.apache.geode.DataSerializer;
import org.apache.geode.distributed.internal.membership.InternalDistributedMember;
import org.apache.geode.distributed.internal.membership.gms.locator.FindCoordinatorRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code -Dmillrace.forms=10000000} tries so many damaged messages, and {@code -Dmillrace.forms.seed} others. */
class SerializedFormTest {

    private static final int FORMS = Integer.getInteger("millrace.forms", 300_000);
    private static final long SEED = Long.getLong("millrace.forms.seed", 1);
    private static final long MAX_ALLOCATED_BYTES = 4 << 20;

    /**
     * Geode's own reader is the oracle: where the two read a message differently, it takes any of the next bytes for a
     * number of elements, and allocates a list of that size.
     */
    @ParameterizedTest
    @ValueSource(classes = {Object.class, FindCoordinatorRequest.class})
    void shouldAcceptNothingForWhichGeodeAllocatesMuch(Class<?> kind) throws Exception {
        List<byte[]> messages = new ArrayList<>();
        for (Object message : new MemberTraffic().messages()) {
            if (kind.isInstance(message)) {
                messages.add(bytes(message));
            }
        }
        ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Mutations mutations = new Mutations(SEED, messages);
        int accepted = 0;
        for (int i = 0; i < FORMS; i++) {
            byte[] message = mutations.next();
            if (!isAccepted(message)) {
                continue;
            }
            accepted++;
            long before = thread.getCurrentThreadAllocatedBytes();
            read(message);
            assertThat(thread.getCurrentThreadAllocatedBytes() - before)
                    .as(() -> HexFormat.of().formatHex(message))
                    .isLessThan(MAX_ALLOCATED_BYTES);
        }
        assertThat(accepted).isGreaterThan(FORMS / 100);
    }

    private static byte[] bytes(Object message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataSerializer.writeObject(message, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }

    /** The first byte of a number in three bytes is missing: Geode takes the next one for an old version. */
    @Test
    void shouldRefuseAVersionInOneByte() throws Exception {
        byte[] message = bytes(new MemberTraffic()
                .messages().stream()
                        .filter(FindCoordinatorRequest.class::isInstance)
                        .findFirst()
                        .orElseThrow());
        String hex = HexFormat.of().formatHex(message);
        String changed = hex.replaceFirst("57000000" + "00012cff0096", "57000200" + "00012cff0096");
        assertThat(changed).isNotEqualTo(hex);
        assertThat(isAccepted(message)).isTrue();
        assertThat(isAccepted(HexFormat.of().parseHex(changed))).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"9, false", "10, true", "13, true", "14, false"})
    void shouldRefuseMembersOfUnknownKinds(int kind, boolean accepted) throws Exception {
        byte[] member = bytes(new InternalDistributedMember("127.0.0.1", 41_000, "one", "tag", kind, null, null));

        assertThat(isAccepted(member)).isEqualTo(accepted);
    }

    private static boolean isAccepted(byte[] message) {
        CheckedInput in = new CheckedInput(new ByteArrayInputStream(message), LocatorRequest.MAX_BYTES);
        try {
            new SerializedForm(in, MemberMessage.TYPES).object();
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void read(byte[] message) {
        try {
            DataSerializer.readObject(new DataInputStream(new ByteArrayInputStream(message)));
        } catch (IOException | ClassNotFoundException | RuntimeException | AssertionError e) {
            // Geode may refuse it too, by an assertion where tests enable them.
        } catch (OutOfMemoryError e) {
            throw new AssertionError(HexFormat.of().formatHex(message), e);
        }
    }
}
