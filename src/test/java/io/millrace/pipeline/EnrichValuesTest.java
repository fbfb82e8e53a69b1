package io.millrace.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RawBytes;
import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.codec.RejectSink;
import io.millrace.expression.ExpressionCompiler;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.feed.ChannelDefinition;
import io.millrace.pipeline.definition.LateThresholds;
import io.millrace.pipeline.definition.Parallelism;
import io.millrace.pipeline.definition.PipelineDefinition;
import io.millrace.pipeline.definition.PipelinePlan;
import io.millrace.pipeline.definition.PipelinePlanner;
import io.millrace.pipeline.definition.RejectThresholds;
import io.millrace.pipeline.step.enrich.EnrichDefinition;
import io.millrace.pipeline.step.enrich.OnMiss;
import io.millrace.pipeline.step.route.ToDefinition;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.IntStorage;
import io.millrace.schema.Schema;
import io.millrace.table.ExtremeRecords;
import io.millrace.table.LiveTable;
import io.millrace.table.ServedTable;
import io.millrace.table.Table;
import io.millrace.table.TableDefinition;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fields that enrich adds have every value that the table's rows have, and are absent only where there is none. */
class EnrichValuesTest {

    private static final IntStorage I64 = IntStorage.of(8, true, ByteOrder.BIG_ENDIAN);
    private static final Schema FEED =
            new Schema("feed", 8, List.of(Field.of("key", new FieldType.IntegerType(I64), 0)), List.of());
    private static final RejectSink NO_REJECT = (batch, ordinal, reason) -> {
        throw new AssertionError(reason);
    };
    private static final List<byte[]> ROWS = ExtremeRecords.all(1);
    private static final int MISSED = 5;

    @TempDir
    Path folder;

    private List<Table> tables() throws IOException {
        Path binary = folder.resolve("rows.bin");
        try (var out = Files.newOutputStream(binary)) {
            for (byte[] row : ROWS) {
                out.write(row);
            }
        }
        Schema schema = ExtremeRecords.SCHEMA;
        LiveTable live = new LiveTable("t", schema, "id", "a test");
        ROWS.forEach(live::put);
        return List.of(
                ServedTable.load(new TableDefinition("t", binary.toString(), "id", schema, null)),
                ServedTable.load(
                        new TableDefinition("t", binary.toString(), "id", schema, folder.resolve("rows.table"))),
                live);
    }

    private static Map<String, String> addAll() {
        Map<String, String> add = new LinkedHashMap<>();
        ExtremeRecords.SCHEMA.names().forEach(name -> add.put("x_" + name, name));
        return add;
    }

    /** A batch with the key of each row and some that no row has, after the step. */
    private static RecordBatch enrich(PipelinePlan plan, RejectSink rejects) {
        int count = ROWS.size() + MISSED;
        byte[] records = new byte[count * 8];
        for (int i = 0; i < count; i++) {
            RawBytes.putLong(records, i * 8, i);
        }
        RecordBatch batch = new RecordBatch(plan.schema()).fill(records, 0, count, 0, 0);
        Arrays.fill(batch.added(), (byte) 0xA5);
        plan.steps()
                .getFirst()
                .create(StepContexts.of(
                        plan,
                        name -> {
                            throw new AssertionError(name);
                        },
                        rejects))
                .accept(batch);
        return batch;
    }

    private static PipelinePlan plan(Table table, OnMiss onMiss, Map<String, String> defaults) {
        return new PipelinePlanner(
                        new PipelineDefinition(
                                "p",
                                new ChannelDefinition("p.in"),
                                "feed",
                                List.of(
                                        new EnrichDefinition("t", "key", addAll(), onMiss, defaults),
                                        ToDefinition.of("r")),
                                null,
                                List.of(),
                                RejectThresholds.DEFAULT,
                                LateThresholds.DEFAULT,
                                false,
                                false,
                                Parallelism.NONE),
                        FEED,
                        Map.of("t", Optional.of(table)),
                        Set.of("r"),
                        FunctionRegistry.empty(),
                        problem -> {
                            throw new AssertionError(problem);
                        })
                .plan();
    }

    private static Map<String, @Nullable Object> added(Schema schema, RecordBatch batch, int ordinal) {
        byte[] record = new byte[schema.recordLength()];
        batch.copyRecord(ordinal, record, 0, record.length);
        Map<String, @Nullable Object> added = new HashMap<>();
        ExtremeRecords.values(RecordCodec.of(schema), record).forEach((name, value) -> {
            if (name.startsWith("x_")) {
                added.put(name.substring(2), value);
            }
        });
        return added;
    }

    @Test
    void shouldAddExtremeValuesAndBeAbsentWhereThereIsNoRow() throws IOException {
        for (Table table : tables()) {
            PipelinePlan plan = plan(table, OnMiss.ABSENT, Map.of());
            RecordBatch batch = enrich(plan, NO_REJECT);
            for (int i = 0; i < ROWS.size(); i++) {
                assertThat(added(plan.schema(), batch, i)).isEqualTo(ExtremeRecords.values(ROWS.get(i)));
            }
            for (int i = ROWS.size(); i < ROWS.size() + MISSED; i++) {
                assertThat(added(plan.schema(), batch, i).values()).containsOnlyNulls();
            }
        }
    }

    @Test
    void shouldAddDefaultsThatAreExtremeValues() throws IOException {
        for (byte[] row : ROWS) {
            Map<String, String> defaults = new HashMap<>();
            ExtremeRecords.texts(row).forEach((name, text) -> defaults.put("x_" + name, text));
            defaults.values().removeIf(String::isEmpty);
            for (Table table : tables()) {
                PipelinePlan plan = plan(table, OnMiss.DEFAULT, defaults);
                RecordBatch batch = enrich(plan, NO_REJECT);
                Map<String, @Nullable Object> expected = ExtremeRecords.values(row);
                expected.replaceAll((_, value) -> "".equals(value) ? null : value);
                for (int i = 0; i < ROWS.size(); i++) {
                    assertThat(added(plan.schema(), batch, i)).isEqualTo(ExtremeRecords.values(ROWS.get(i)));
                }
                assertThat(added(plan.schema(), batch, ROWS.size())).isEqualTo(expected);
            }
        }
    }

    @Test
    void shouldAddRequiredFieldsWhereARecordWithoutARowIsRejected() throws IOException {
        for (Table table : tables()) {
            Set<Integer> rejected = new TreeSet<>();
            PipelinePlan plan = plan(table, OnMiss.REJECT, Map.of());
            RecordBatch batch = enrich(plan, (_, ordinal, _) -> rejected.add(ordinal));
            assertThat(rejected).hasSize(MISSED);
            assertThat(plan.schema().fields()).noneMatch(Field::optional);
            assertThat(batch.selected()).isEqualTo(ROWS.size());
            for (int i = 0; i < ROWS.size(); i++) {
                assertThat(added(plan.schema(), batch, i)).isEqualTo(ExtremeRecords.values(ROWS.get(i)));
            }
        }
    }

    @Test
    void shouldDistinguishAbsentFieldsFromExtremeValuesInExpressions() throws IOException {
        for (Table table : tables()) {
            PipelinePlan plan = plan(table, OnMiss.ABSENT, Map.of());
            ExpressionCompiler compiler = new ExpressionCompiler(plan.schema());
            for (String name : ExtremeRecords.SCHEMA.names()) {
                RecordBatch batch = enrich(plan, NO_REJECT);
                compiler.filter("x_" + name + " != null").loop().apply(batch, NO_REJECT);
                assertThat(batch.selected()).as(name).isEqualTo(ROWS.size());
                batch = enrich(plan, NO_REJECT);
                compiler.filter("x_" + name + " == null").loop().apply(batch, NO_REJECT);
                assertThat(batch.selected()).as(name).isEqualTo(MISSED);
            }
        }
    }
}
