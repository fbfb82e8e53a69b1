package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.check.ConstraintCheck;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.codec.layout.LayoutCodecs;
import io.millrace.codec.text.format.RecordFormat;
import io.millrace.schema.RecordConstraint;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaException;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import io.millrace.view.Violation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Conditions over the fields of a record or of an element, wherever records are checked. */
class ConstraintsTest {

    private static final String FIELDS = """
            schema: order
            layout: compact
            fields:
              - { name: id, type: u32 }
              - { name: start, type: u32, max: 1000 }
              - { name: end, type: u32, optional: true }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: limit, type: u32, min: 1 }
                  - { name: marks, type: u8, repeat: many }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: amount, type: u32 }
                  - { name: most, type: u32, optional: true }
                  - name: fees
                    type: group
                    repeat: many
                    fields:
                      - { name: part, type: u32 }
            """;

    private static final Schema ORDER = schema(FIELDS + """
            constraints:
              - name: order-of-times
                condition: end == null || end >= start
                message: the end must not be before the start
              - { name: within-limit, condition: 'party == null || #sum(legs.![amount]) <= party.limit' }
              - name: bounded
                each: legs
                condition: most == null || amount <= most
                message: the amount must be at most the leg's own limit
              - { name: known, each: legs, condition: 'amount != #root.id', message: 'the amount must not be the id' }
              - { name: rising, each: legs, condition: 'amount >= #root.legs[0].amount', message: 'the first is the smallest' }
              - { name: small-parts, each: legs.fees, condition: 'part <= 50 && 100 / (part - 7) != 1', message: 'a part is small' }
              - { name: even, each: party.marks, condition: '#this % 2 == 0', message: 'marks are even' }
            """);

    private static final String BAD = """
            {"id":5,"start":2000,"end":4,"party":{"limit":0,"marks":[2,3,4,5]},
             "legs":[{"amount":9,"most":9},{"amount":5,"most":4,"fees":[{"part":1},{"part":99},{"part":7}]}]}""";

    private static final List<String> VIOLATIONS = List.of(
            "Invalid value '2000' of 'start'. Use 1000 or less.",
            "Invalid value '0' of 'party.limit'. Use 1 or more.",
            "Constraint 'order-of-times' is violated: the end must not be before the start.",
            "Constraint 'within-limit' is violated: the condition must hold: party == null || #sum(legs.![amount]) <="
                    + " party.limit.",
            "Invalid value of 'legs[1]'. Constraint 'bounded' is violated: the amount must be at most the leg's own"
                    + " limit.",
            "Invalid value of 'legs[1]'. Constraint 'known' is violated: the amount must not be the id.",
            "Invalid value of 'legs'. Constraint 'rising' is violated: the first is the smallest.",
            "Invalid value of 'legs[1].fees[1]'. Constraint 'small-parts' is violated: a part is small.",
            "Invalid value of 'party.marks[1]'. Constraint 'even' is violated: marks are even.",
            "Invalid value of 'party.marks[3]'. Constraint 'even' is violated: marks are even.");

    private static Schema schema(String yaml) {
        return SchemaReader.read("order.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] bytes(String json) {
        JsonToCompact writer =
                new JsonToCompact(schema(FIELDS.replace(", max: 1000", "").replace(", min: 1", "")));
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        writer.append(text, 0, text.length);
        return writer.encoder().toBytes();
    }

    /** Returns a batch as a pipeline has it, whose rows contain only what the check reads. */
    private static RecordBatch batch(Schema schema, List<byte[]> records) {
        Schema rows = schema.project(new HashSet<>(ConstraintCheck.of(schema).reads()));
        RecordBatch batch = new RecordBatch(rows);
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        int[] bounds = new int[records.size() + 1];
        for (int i = 0; i < records.size(); i++) {
            all.writeBytes(records.get(i));
            bounds[i + 1] = all.size();
        }
        batch.fill(all.toByteArray(), bounds, records.size(), RecordBatch.NO_POSITION);
        LayoutCodecs.of(rows).admission().admit(batch, (_, _, reason) -> {
            throw new AssertionError(reason);
        });
        return batch;
    }

    @Test
    void shouldReportAllViolationsOfFieldsAndConditionsWithTheirPaths() {
        RecordBatch batch = batch(ORDER, List.of(bytes("{\"id\":1,\"start\":1}"), bytes(BAD), bytes(BAD)));
        ConstraintCheck check = ConstraintCheck.of(batch.schema());
        for (int i = 0; i < 2; i++) {
            assertThat(check.violations(batch, 2).stream().filter(each -> !each.contains("can't")))
                    .containsExactlyElementsOf(VIOLATIONS);
        }
        assertThat(check.violations(batch, 2))
                .anySatisfy(each -> assertThat(each)
                        .startsWith("Invalid value of 'legs[1].fees[2]'. Constraint 'small-parts' can't be checked: "));
        assertThat(check.violations(batch, 0)).isEmpty();
        assertThat(batch.selected()).isEqualTo(3);
        check.select(batch);
        assertThat(batch.selected()).isEqualTo(1);
        assertThat(batch.selection()[0]).isZero();
    }

    @Test
    void shouldSelectTheRecordsWithoutViolations() {
        Random random = new Random(3);
        List<byte[]> records = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            String legs = "{\"amount\":" + random.nextInt(6) + ",\"most\":" + (3 + random.nextInt(6)) + "}";
            records.add(bytes("{\"id\":" + random.nextInt(12) + ",\"start\":" + random.nextInt(9) + ",\"end\":"
                    + (4 + random.nextInt(9)) + ",\"legs\":[" + legs + "]}"));
        }
        RecordBatch batch = batch(ORDER, records);
        ConstraintCheck check = ConstraintCheck.of(batch.schema());
        List<Integer> valid = new ArrayList<>();
        for (int i = 0; i < records.size(); i++) {
            if (check.violations(batch, i).isEmpty()) {
                valid.add(i);
            }
        }
        check.select(batch);
        assertThat(batch.selection()).startsWith(valid.stream().mapToInt(i -> i).toArray());
        assertThat(batch.selected()).isEqualTo(valid.size()).isBetween(500, 1900);
    }

    /** A view of an order. */
    public interface Order {

        /** A leg. */
        interface Leg {
            long getAmount();
        }

        long getId();

        List<Leg> getLegs();

        boolean isValid();
    }

    @Test
    void shouldValidateViews() {
        RecordViews<Order> views = RecordViews.of(Order.class, ORDER);
        assertThat(views.of(bytes("{\"id\":1,\"start\":1,\"end\":1}")).isValid())
                .isTrue();
        assertThat(views.of(bytes("{\"id\":1,\"start\":2,\"end\":1}")).isValid())
                .isFalse();
        List<Violation> found = views.validate(views.of(bytes(BAD)));
        assertThat(found)
                .contains(new Violation(
                        "legs[1]",
                        null,
                        "Constraint 'bounded' is violated: the amount must be at most the leg's own limit."))
                .extracting(Violation::toString)
                .contains("Constraint 'order-of-times' is violated: the end must not be before the start.")
                .contains("Invalid value '2000' of 'start'. Use 1000 or less.");
        assertThat(found).hasSize(VIOLATIONS.size() + 1);
    }

    @Test
    void shouldValidateMutableViewsOfFixedRecords() {
        Schema span = schema("""
                schema: order
                fields:
                  - { name: start, type: u16 }
                  - { name: end, type: u16 }
                constraints:
                  - { name: order, condition: start <= end, message: the end must not be before the start }
                """);
        RecordViews<Span> views = RecordViews.of(Span.class, span);
        Span view = views.create();
        view.setStart(3);
        assertThat(view.validate())
                .extracting(Violation::toString)
                .containsExactly("Constraint 'order' is violated: the end must not be before the start.");
        view.setEnd(3);
        assertThat(view.validate()).isEmpty();
    }

    /** A view of a span. */
    public interface Span {
        int getStart();

        void setStart(int start);

        void setEnd(int end);

        List<Violation> validate();
    }

    @Test
    void shouldRefuseToConvertRecordsThatViolateConditions() throws IOException {
        Schema span = schema("""
                schema: order
                layout: compact
                fields:
                  - { name: start, type: u16 }
                  - { name: end, type: u16 }
                constraints:
                  - { name: order, condition: start <= end, message: the end must not be before the start }
                  - { name: short, condition: end < start + 100 && start < end + 100, message: it must be short }
                """);
        List<String> bad = new ArrayList<>();
        String csv = "start,end\n1,2\n500,2\n3,3\n2,1\n";
        byte[] binary = convert(RecordFormat.CSV, RecordFormat.BINARY, span, csv.getBytes(StandardCharsets.UTF_8), bad);
        assertThat(bad)
                .containsExactly(
                        "line 3 [Constraint 'order' is violated: the end must not be before the start.,"
                                + " Constraint 'short' is violated: it must be short.]",
                        "line 5 [Constraint 'order' is violated: the end must not be before the start.]");
        bad.clear();
        assertThat(new String(
                        convert(RecordFormat.BINARY, RecordFormat.JSON, span, binary, bad), StandardCharsets.UTF_8))
                .isEqualTo("{\"start\":1,\"end\":2}\n{\"start\":3,\"end\":3}\n");
        assertThat(bad).isEmpty();
        convert(
                RecordFormat.JSON,
                RecordFormat.CSV,
                span,
                "{\"start\":2,\"end\":1}".getBytes(StandardCharsets.UTF_8),
                bad);
        assertThat(bad)
                .containsExactly("line 1 [Constraint 'order' is violated: the end must not be before the start.]");
    }

    private static byte[] convert(RecordFormat from, RecordFormat to, Schema schema, byte[] in, List<String> bad)
            throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        from.convert(
                to,
                schema,
                new ByteArrayInputStream(in),
                out,
                record -> bad.add(record.place() + " " + record.reasons()));
        return out.toByteArray();
    }

    @Test
    void shouldKeepConstraintsInSchemasMadeOfASchema() throws Exception {
        assertThat(ORDER.constraints())
                .hasSize(7)
                .first()
                .isEqualTo(new RecordConstraint(
                        "order-of-times", "", "end == null || end >= start", "the end must not be before the start"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(ORDER);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(List.of((Schema) in.readObject(), ORDER.base(), ORDER.stored(), ORDER.project(new HashSet<>())))
                    .allSatisfy(schema -> assertThat(schema.constraints()).isEqualTo(ORDER.constraints()));
        }
        assertThat(ORDER.fingerprint()).isEqualTo(schema(FIELDS).fingerprint());
    }

    @Test
    void shouldCheckFieldsOfTaggedRecords() {
        Schema calls = schema("""
                schema: order
                layout: tagged
                elements: { tag: 1, length: 1 }
                fields:
                  - { name: start, type: u16, tag: 1 }
                  - { name: end, type: u16, tag: 2 }
                constraints:
                  - { name: order, condition: end == null || start <= end, message: the end must not be before the start }
                """);
        byte[] good = {1, 4, 0, 5, 2, 4, 0, 6};
        byte[] bad = {1, 4, 0, 5, 2, 4, 0, 4};
        byte[] open = {1, 4, 0, 5};
        RecordBatch batch = batch(calls, List.of(good, bad, open));
        ConstraintCheck.of(batch.schema()).select(batch);
        assertThat(batch.selection()).startsWith(0, 2);
        assertThat(batch.selected()).isEqualTo(2);
    }

    @Test
    void shouldRefuseInvalidConstraints() {
        assertThat(refusal("{ name: one, condition: star < 5 }"))
                .contains("Invalid condition of constraint 'one'. MR1002: schema order has no field 'star'\n"
                        + "  star < 5\n  ^\ndid you mean 'start'?")
                .contains("[invalid-condition]")
                .contains("order.yml:");
        assertThat(refusal("{ name: one, condition: start }")).contains("a condition is needed");
        assertThat(refusal("{ name: one, condition: start < }")).contains("MR1001");
        assertThat(refusal("{ name: one, each: legs, condition: start < 5 }"))
                .contains("for the field of the record write: #root.start");
        assertThat(refusal("{ name: one, each: lags, condition: amount < 5 }"))
                .contains("Unknown list 'lags'. Did you mean 'legs'? Use one of: party.marks, legs, legs.fees.");
        assertThat(refusal("{ name: one, condition: '#mine(id) > 5' }")).contains("#mine");
        assertThat(refusal("{ condition: id > 5 }")).contains("Missing 'name' of a constraint.");
        assertThat(refusal("{ name: one }")).contains("Missing 'condition' of constraint 'one'.");
        assertThat(refusal("{ name: one, condition: id > 5, mesage: x }")).contains("Did you mean 'message'?");
        assertThat(refusal("{ name: one, condition: id > 5 }\n  - { name: one, condition: id > 6 }"))
                .contains("Duplicate constraint 'one'");
        assertThatThrownBy(() -> schema("""
                schema: order
                fields:
                  - { name: id, type: u8 }
                constraints:
                  - { name: one, each: ids, condition: id > 5 }
                """))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("Unknown list 'ids'. Remove 'each': only the compact layout has lists.");
    }

    private static @Nullable String refusal(String constraint) {
        try {
            schema(FIELDS + "constraints:\n  - " + constraint + "\n");
            return null;
        } catch (SchemaException e) {
            return e.getMessage();
        }
    }
}
