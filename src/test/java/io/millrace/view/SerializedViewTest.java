package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.ChildJvm;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.access.BinaryView;
import io.millrace.view.list.RecordList;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamConstants;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Views that another process reads, whose schema may differ. */
class SerializedViewTest {

    private static final String FIELDS = """
              - { name: id, type: i64 }
              - { name: amount, type: decimal, scale: 2, optional: true }
              - { name: side, type: enum, values: [Buy, Sell], optional: true }
            """;

    /** A payment. */
    public interface Payment {
        long getId();

        void setId(long id);

        @Nullable
        BigDecimal getAmount();

        void setAmount(@Nullable BigDecimal amount);

        @Nullable
        String getSide();

        void setSide(@Nullable String side);
    }

    /** A type that two class loaders have. */
    public interface Twin {
        long getId();
    }

    private static Object read(byte[] serialized, ClassLoader context) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(context);
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(serialized))) {
            return in.readObject();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static RecordViews<Payment> views(String layout, String fields) {
        String text = "schema: payments\nlayout: " + layout + "\nfields:\n" + fields;
        Schema schema = SchemaReader.read("payments.yml", text.getBytes(StandardCharsets.UTF_8));
        return RecordViews.of(Payment.class, schema);
    }

    /** Reads a payment with the views of a schema. */
    static final class Reader {

        private Reader() {}

        public static void main(String[] arguments) throws Exception {
            views(arguments[0], arguments[1]);
            try (ObjectInputStream in = new ObjectInputStream(System.in)) {
                Object object = in.readObject();
                Payment payment = object instanceof List<?> list ? (Payment) list.getFirst() : (Payment) object;
                System.out.print(payment.getId() + " " + payment.getAmount() + " " + payment.getSide());
            } catch (InvalidObjectException e) {
                System.out.print(e.getMessage());
            }
        }
    }

    private static String read(String layout, String fields, byte[] serialized) throws Exception {
        Process process = new ProcessBuilder(ChildJvm.command(Reader.class, layout, fields))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (OutputStream out = process.getOutputStream()) {
            out.write(serialized);
        }
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The layout of "Serialized view" in the reference of formats. */
    @ParameterizedTest
    @CsvSource({"fixed, false", "fixed, true", "compact, false", "compact, true"})
    void shouldHaveTheDocumentedForm(String layout, boolean mutable) throws Exception {
        String fields =
                layout.equals("fixed") ? FIELDS.replace("optional: true", "optional: true, absent: flag") : FIELDS;
        RecordViews<Payment> views = views(layout, fields);
        RecordList<Payment> list = new RecordList<>(views);
        for (int id = 1; id < 4; id++) {
            Payment payment = views.create();
            payment.setId(id);
            list.add(payment);
        }
        Payment second = list.get(1); // of the fixed layout, it begins within an array
        byte[] record = views.bytes(second);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(mutable ? views.edit(second) : second);
        }

        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(expected);
        out.writeInt(0xACED_0005);
        out.writeByte(ObjectStreamConstants.TC_OBJECT);
        out.writeByte(ObjectStreamConstants.TC_CLASSDESC);
        out.writeUTF("io.millrace.view.Ser");
        out.writeLong(1);
        out.writeByte(ObjectStreamConstants.SC_EXTERNALIZABLE | ObjectStreamConstants.SC_BLOCK_DATA);
        out.writeShort(0);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        out.writeByte(ObjectStreamConstants.TC_NULL);
        out.writeByte(ObjectStreamConstants.TC_BLOCKDATA);
        out.writeByte(20 + record.length);
        out.writeLong(0x1525_4BB4_B516_3E50L);
        out.writeLong(SerializedView.fingerprint(views));
        out.writeInt(record.length * 2 + (mutable ? 1 : 0));
        out.write(record);
        out.writeByte(ObjectStreamConstants.TC_ENDBLOCKDATA);
        assertThat(bytes.toByteArray()).isEqualTo(expected.toByteArray());

        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            Payment read = (Payment) in.readObject();
            assertThat(read).isEqualTo(second);
            assertThat(ViewForm.of((BinaryView) read).mutable()).isEqualTo(mutable);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE, ((1 << 24) + 1) << 1})
    void shouldRefuseInvalidLengths(int head) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeLong(1);
            out.writeLong(2);
            out.writeInt(head);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThatExceptionOfType(InvalidObjectException.class)
                    .isThrownBy(() -> new Ser().readExternal(in))
                    .withMessage("Invalid length of a record: " + (head >>> 1) + ".");
        }
    }

    @Test
    void shouldReturnViewsOfTheTypeThatTheContextClassLoaderFinds() throws Exception {
        String text = "schema: twins\nlayout: compact\nfields: [{ name: id, type: i64 }]\n";
        Schema schema = SchemaReader.read("twins.yml", text.getBytes(StandardCharsets.UTF_8));
        RecordViews<Twin> views = RecordViews.of(Twin.class, schema);
        OwnTypeLoader loader = new OwnTypeLoader(Twin.class);
        Class<?> other = loader.loadClass(Twin.class.getName());
        assertThat(other).isNotSameAs(Twin.class);
        RecordViews<?> others = RecordViews.of(other, schema);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(views.create());
        }

        assertThat(read(bytes.toByteArray(), Twin.class.getClassLoader())).hasSameClassAs(views.create());
        assertThat(read(bytes.toByteArray(), loader)).hasSameClassAs(others.create());
        assertThatExceptionOfType(InvalidObjectException.class)
                .isThrownBy(() -> read(bytes.toByteArray(), ClassLoader.getPlatformClassLoader()))
                .withMessage("Ambiguous type '" + Twin.class.getName() + "': 2 class loaders have views of it. Set a"
                        + " context class loader of the thread that finds one of them.");
    }

    @Test
    void shouldNameTheTypeIfItHasOtherViews() {
        RecordViews<Payment> views = views("compact", FIELDS);
        assertThatExceptionOfType(InvalidObjectException.class)
                .isThrownBy(() -> KnownViews.require(views.typeId(), 7))
                .withMessage("Unknown views of '" + Payment.class.getName() + "' for a schema with fingerprint 7."
                        + " Create them before you read serialized views.");
        assertThatExceptionOfType(InvalidObjectException.class)
                .isThrownBy(() -> KnownViews.require(8, 7))
                .withMessageStartingWith("Unknown views of an unknown type for a schema with fingerprint 7.");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            fixed   | type          | type          | 7 12.50 Sell
            compact | type          | type          | 7 12.50 Sell
            compact | [Buy, Sell]   | [Sell, Buy]   |
            fixed   | [Buy, Sell]   | [Sell, Buy]   |
            compact | scale: 2      | scale: 4      |
            fixed   | scale: 2      | scale: 4      |
            compact | [Buy, Sell]   | [Buy, Sell, Both] |
            compact | type: i64     | type: i32     |
            """)
    void shouldReadTheSameValuesOrNothing(String layout, String from, String to, @Nullable String expected)
            throws Exception {
        String fields =
                layout.equals("fixed") ? FIELDS.replace("optional: true", "optional: true, absent: flag") : FIELDS;
        RecordViews<Payment> views = views(layout, fields);
        Payment payment = views.create();
        payment.setId(7);
        payment.setAmount(new BigDecimal("12.50"));
        payment.setSide("Sell");
        RecordList<Payment> list = new RecordList<>(views);
        list.add(payment);
        for (Object object : List.of(views.view(payment), list)) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(object);
            }

            String output = read(layout, fields.replace(from, to), bytes.toByteArray());
            if (expected == null) {
                assertThat(output).startsWith("Unknown views of '" + Payment.class.getName() + "' for a schema with");
            } else {
                assertThat(output).isEqualTo(expected);
            }
        }
    }
}
