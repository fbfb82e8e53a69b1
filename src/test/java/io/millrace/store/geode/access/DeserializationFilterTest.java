package io.millrace.store.geode.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import hostile.Gadget;
import io.millrace.store.query.Query;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InvalidClassException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.rmi.server.ObjID;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DeserializationFilterTest {

    @TempDir
    static Path folder;

    @ParameterizedTest
    @MethodSource("values")
    void shouldAllowValues(Object value) throws Exception {
        assertThat(read(write(value), false)).isEqualTo(value);
    }

    static Stream<Object> values() throws IOException {
        return Stream.of(
                "text",
                4711L,
                new BigDecimal("1.50"),
                BigInteger.TEN,
                Instant.EPOCH,
                LocalDate.EPOCH,
                Map.of("key", List.of(1, 2, 3)),
                new ArrayList<>(List.of(1.5)),
                new byte[] {1, 2, 3},
                InetAddress.getLoopbackAddress(),
                new Query("id == 1", List.of("id"), List.of(), 1));
    }

    @ParameterizedTest
    @MethodSource("others")
    void shouldRefuseEverythingElse(Object object) throws Exception {
        byte[] bytes = write(object);
        assertThatExceptionOfType(InvalidClassException.class).isThrownBy(() -> read(bytes, false));
        assertThat(folder.resolve("marker")).doesNotExist();
    }

    static Stream<Object> others() throws Exception {
        return Stream.of(
                new Gadget(folder.resolve("marker")),
                List.of(new Gadget(folder.resolve("marker"))),
                new Object[] {new Gadget(folder.resolve("marker"))},
                // resolves a host name where its hash is asked for
                Map.of(URI.create("http://127.0.0.1/").toURL(), 1),
                new ObjID(),
                new PriorityQueue<>(List.of(URI.create("http://127.0.0.1/"))));
    }

    @Test
    void shouldAllowWhatManagementNeedsOnlyWhereItIsServed() throws Exception {
        ObjID id = new ObjID();
        assertThat(read(write(id), true)).isEqualTo(id);
        byte[] gadget = write(new Gadget(folder.resolve("marker")));
        assertThatExceptionOfType(InvalidClassException.class).isThrownBy(() -> read(gadget, true));
    }

    @Test
    void shouldRefuseWhatIsNestedTooDeep() throws Exception {
        List<Object> nested = new ArrayList<>();
        for (int depth = 0; depth < 200; depth++) {
            nested = new ArrayList<>(List.of(nested));
        }
        byte[] bytes = write(nested);
        assertThatExceptionOfType(InvalidClassException.class).isThrownBy(() -> read(bytes, false));
    }

    private static byte[] write(Object value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes, boolean management) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            in.setObjectInputFilter(DeserializationFilter.create(management));
            return in.readObject();
        }
    }
}
