package io.millrace.store.geode.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.nemesis.Mutations;
import io.millrace.store.geode.query.BucketCursors;
import io.millrace.store.geode.query.ScanBudget;
import io.millrace.store.query.Query;
import io.millrace.store.query.ScanCounts;
import io.millrace.store.scan.PackedRecords;
import io.millrace.store.scan.QueryPart;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** {@code -Dmillrace.forms=10000000} tries so many damaged objects, and {@code -Dmillrace.forms.seed} others. */
class JavaFormTest {

    private static final int FORMS = Integer.getInteger("millrace.forms", 100_000);
    private static final long SEED = Long.getLong("millrace.forms.seed", 1);
    private static final int MAX_READS_AT_THE_END = 1_000;

    private static final List<Object> OBJECTS = List.of(
            Query.all(),
            new ScanBudget(1, 2),
            new BucketCursors(Map.of(1, 2L, 3, 4L)),
            new QueryPart(
                    new PackedRecords(new byte[] {1, 2, 3}, new int[] {3}),
                    new long[] {1},
                    new ScanCounts(1, 2, 3, 4, null)),
            new IllegalStateException("text", new IOException()),
            TimeUnit.DAYS,
            new long[][] {{1, 2}, {}},
            new Object[] {"text", 1, null, new byte[100]},
            new String[] {"one", "one"},
            new TreeSet<>(List.of("a", "b")),
            new LinkedHashMap<>(Map.of("key", Instant.EPOCH, "other", Duration.ofDays(1))),
            new BigDecimal("12.30"),
            String.class,
            "x".repeat(70_000),
            Proxy.newProxyInstance(
                    JavaFormTest.class.getClassLoader(), new Class<?>[] {Runnable.class}, new SerializableHandler()));

    private record SerializableHandler() implements InvocationHandler, Serializable {
        @Override
        public Object invoke(Object proxy, Method method, Object[] args) {
            return false;
        }
    }

    /** As that of Geode, it returns 0 at the end. */
    private static final class WithoutEnd extends InputStream {

        private final byte[] bytes;
        private int position;
        private int readsAtTheEnd;

        private WithoutEnd(byte[] bytes) {
            this.bytes = bytes;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            if (read(one, 0, 1) == 0) {
                throw new IOException("end");
            }
            return one[0] & 0xFF;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            int count = Math.min(length, bytes.length - position);
            if (count == 0 && length > 0 && ++readsAtTheEnd > MAX_READS_AT_THE_END) {
                throw new AssertionError("It is read without end.");
            }
            System.arraycopy(bytes, position, into, offset, count);
            position += count;
            return count;
        }
    }

    private static byte[] bytes(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    private static boolean isAccepted(byte[] form) {
        try {
            JavaForm.check(form, 0);
            return true;
        } catch (RefusedInputException e) {
            return false;
        }
    }

    private static void readAsGeode(byte[] form) {
        try (ObjectInputStream in = new ObjectInputStream(new WithoutEnd(form))) {
            in.setObjectInputFilter(
                    ObjectInputFilter.Config.createFilter("maxdepth=20;maxarray=100000;maxrefs=100000"));
            in.readObject();
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            // It ends, with or without an object.
        }
    }

    @Test
    void shouldAcceptCompleteObjectsOnly() throws Exception {
        for (Object object : OBJECTS) {
            byte[] form = bytes(object);
            assertThat(isAccepted(form)).as(object.getClass().getName()).isTrue();
            int step = Math.max(1, form.length / 1_000);
            for (int length = 0; length < form.length; length += step) {
                byte[] cut = Arrays.copyOf(form, length);
                assertThat(isAccepted(cut))
                        .as("%d bytes of %s", length, object.getClass())
                        .isFalse();
            }
        }
    }

    /** Each class names its superclass: reading one calls itself for the next. */
    @Test
    void shouldRefuseManySuperclasses() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeShort(ObjectStreamConstants.STREAM_MAGIC);
        out.writeShort(ObjectStreamConstants.STREAM_VERSION);
        out.writeByte(ObjectStreamConstants.TC_OBJECT);
        for (int i = 0; i < 60_000; i++) {
            out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
            out.writeUTF("C");
            out.writeLong(i);
            out.writeByte(ObjectStreamConstants.SC_SERIALIZABLE);
            out.writeShort(0);
            out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        }
        out.writeByte(ObjectStreamConstants.TC_NULL);
        assertThat(isAccepted(bytes.toByteArray())).isFalse();
    }

    /** The reason for the check. */
    @Test
    void shouldBeReadWithoutEndIfItIsCut() throws Exception {
        byte[] form = bytes(Query.all());
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> {
                    for (int length = 0; length < form.length; length++) {
                        readAsGeode(Arrays.copyOf(form, length));
                    }
                })
                .withMessage("It is read without end.");
    }

    /** The JDK, with Geode's input, is the oracle. */
    @Test
    void shouldAcceptNothingThatIsReadWithoutEnd() throws Exception {
        List<byte[]> forms = new ArrayList<>();
        for (Object object : OBJECTS) {
            forms.add(bytes(object));
        }
        Mutations mutations = new Mutations(SEED, forms);
        int accepted = 0;
        for (int i = 0; i < FORMS; i++) {
            byte[] form = mutations.next();
            if (isAccepted(form)) {
                accepted++;
                try {
                    readAsGeode(form);
                } catch (AssertionError e) {
                    throw new AssertionError(HexFormat.of().formatHex(form), e);
                }
            }
        }
        assertThat(accepted).isGreaterThan(FORMS / 100);
    }
}
