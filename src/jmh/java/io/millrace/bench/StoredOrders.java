package io.millrace.bench;

import io.millrace.codec.RecordBatch;
import io.millrace.expression.function.FunctionRegistry;
import io.millrace.store.block.BlockChecks;
import io.millrace.store.block.BlockWriter;
import io.millrace.store.query.AggregateQuery;
import io.millrace.store.region.BlockEncoding;
import io.millrace.store.region.Layout;
import io.millrace.store.region.RegionDefinition;
import io.millrace.store.scan.AggregateScan;
import java.util.ArrayList;
import java.util.List;

/** Orders in the blocks of a region, and a query that counts those for which a rule holds. */
final class StoredOrders {

    private final List<byte[]> blocks = new ArrayList<>();
    private final BlockChecks checks = new BlockChecks();
    private final AggregateScan scan;
    private final int orders;

    /** @param batch all orders, with all fields of {@link GroupsData#SCHEMA} */
    StoredOrders(RecordBatch batch, BlockEncoding encoding, String rule) {
        RegionDefinition region = new RegionDefinition(
                "orders", Layout.BLOCKS, 0, false, GroupsData.SCHEMA, List.of(), null, GroupsData.ORDERS, encoding);
        scan = AggregateScan.of(
                region, new AggregateQuery(rule, List.of(), List.of("count()"), 1), FunctionRegistry.empty());
        orders = batch.selected();
        BlockWriter writer = BlockWriter.of(region, GroupsData.SCHEMA);
        for (int index = 0; index < orders; ) {
            index = writer.append(batch, index);
            blocks.add(writer.seal(RecordBatch.NO_POSITION, RecordBatch.NO_POSITION));
            writer.clear();
        }
    }

    /** Returns the bytes of an order, with its share of the header and the columns. */
    long averageBytes() {
        return blocks.stream().mapToLong(block -> block.length).sum() / orders;
    }

    int kept() {
        scan.reset();
        for (int i = 0; i < blocks.size(); i++) {
            scan.block(i, blocks.get(i), checks);
        }
        long[] counts = scan.part().accumulators();
        return (int) counts[counts.length - 1];
    }
}
