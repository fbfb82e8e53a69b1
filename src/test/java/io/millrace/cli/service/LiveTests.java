package io.millrace.cli.service;

import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;

/** Tests of rules as the command {@code tap} writes them. */
public final class LiveTests {

    private LiveTests() {}

    /** Returns the tests of some records that a pipeline has received, without the lines before them. */
    public static String write(Path config, String pipeline, List<byte[]> records) {
        LiveTestWriter writer = LiveTestWriter.of(config, pipeline);
        return records.stream()
                .map(record -> writer.test(JsonMapper.shared()
                        .valueToTree(Map.of("bytes", HexFormat.of().formatHex(record), "record", "a record"))))
                .collect(Collectors.joining("\n"));
    }
}
