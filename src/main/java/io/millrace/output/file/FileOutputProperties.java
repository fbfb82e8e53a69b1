package io.millrace.output.file;

import io.millrace.codec.text.format.RecordFormat;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of an output of files.
 *
 * @param folder folder of the files, which is created
 * @param format format of the files
 */
public record FileOutputProperties(
        @Nullable Path folder, @DefaultValue("json") RecordFormat format) {}
