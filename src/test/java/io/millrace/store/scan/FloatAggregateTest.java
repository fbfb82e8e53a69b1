package io.millrace.store.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.RecordBatch;
import io.millrace.codec.RecordCodec;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Values of an f32 are floats in aggregates too, so that each place writes the same digits. */
class FloatAggregateTest {

    private static final Schema SCHEMA = SchemaReader.read(
            "t.yml",
            "schema: t\nfields: [{ name: f, type: f32 }, { name: g, type: f32, optional: true }]"
                    .getBytes(StandardCharsets.UTF_8));

    @ParameterizedTest
    @EnumSource(BlockEncoding.class)
    void shouldReturnFloats(BlockEncoding encoding) {
        RegionDefinition region =
                new RegionDefinition("r", Layout.BLOCKS, 0, false, SCHEMA, List.of(), null, 512, encoding);
        byte[] rows = new byte[2 * SCHEMA.recordLength()];
        for (int i = 0; i < 2; i++) {
            RecordCodec.of(SCHEMA).codec("f").setText(rows, i * SCHEMA.recordLength(), i == 0 ? "26.3" : "0.1");
            RecordCodec.of(SCHEMA).codec("g").setText(rows, i * SCHEMA.recordLength(), i == 0 ? "26.3" : "");
        }
        BlockWriter writer = BlockWriter.of(region, SCHEMA);
        writer.append(new RecordBatch(SCHEMA).fill(rows, 0, 2, 0, rows.length), 0);
        byte[] block = writer.seal(0, 2);
        AggregateScan scan = AggregateScan.of(
                region,
                new AggregateQuery(null, List.of("g"), List.of("min(f)", "max(f)", "max(g)", "sum(f)"), 10),
                FunctionRegistry.empty());
        scan.reset();
        scan.block(0, block, new BlockChecks());
        List<Map<String, Object>> groups =
                Answers.of(scan, List.of(scan.part())).groups();

        assertThat(groups)
                .anySatisfy(group -> assertThat(group)
                        .containsEntry("g", 26.3f)
                        .containsEntry("min(f)", 26.3f)
                        .containsEntry("max(g)", 26.3f)
                        .containsEntry("sum(f)", (double) 26.3f));
        assertThat(groups)
                .anySatisfy(group -> assertThat(group)
                        .containsEntry("max(f)", 0.1f)
                        .containsEntry("g", null)
                        .containsEntry("max(g)", null));
    }
}
