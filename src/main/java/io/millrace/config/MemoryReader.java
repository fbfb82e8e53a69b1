package io.millrace.config;

import static io.millrace.schema.ProblemCode.INVALID_NUMBER;
import static io.millrace.schema.ProblemCode.INVALID_SIZE;

import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.properties.ClusterProperties;
import io.millrace.pipeline.definition.Problem;
import io.millrace.store.geode.cache.GeodeMemory;
import java.util.ArrayList;
import java.util.List;
import org.springframework.util.unit.DataSize;

/** Reads the memory properties under {@code millrace.geode}, which apply with or without a cluster. */
final class MemoryReader {

    private static final int ALL = 100;

    private MemoryReader() {}

    /**
     * Returns the options.
     *
     * @throws ConfigurationException with all problems
     */
    static GeodeMemory read(ClusterProperties properties) {
        List<Problem> problems = new ArrayList<>();
        float criticalHeapPercentage = properties.criticalHeapPercentage();
        if (!(criticalHeapPercentage >= 0 && criticalHeapPercentage <= ALL)) {
            problems.add(new Problem(
                    "millrace.geode.critical-heap-percentage",
                    INVALID_NUMBER.message(
                            "Invalid percentage '" + criticalHeapPercentage + "'. Use 0 to " + ALL + ".")));
        }
        DataSize offHeap = properties.offHeapMemory();
        long megabytes = offHeap == null ? 0 : offHeap.toMegabytes();
        if (offHeap != null && (megabytes < 1 || megabytes > Integer.MAX_VALUE)) {
            problems.add(new Problem(
                    "millrace.geode.off-heap-memory",
                    INVALID_SIZE.message("Invalid size '" + offHeap + "'. Use 1MB to " + Integer.MAX_VALUE + "MB.")));
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return new GeodeMemory(criticalHeapPercentage, (int) megabytes);
    }
}
