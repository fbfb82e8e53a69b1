package io.millrace.cli.service;

import io.millrace.cli.error.CommandErrorCode;
import io.millrace.codec.file.FileErrors;
import io.millrace.config.binding.ConfigurationException;
import io.millrace.config.binding.ConfigurationFiles;
import io.millrace.config.binding.RulesReader;
import io.millrace.config.binding.StepProperties;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;

/** Texts of rules. */
public final class RulesSource {

    private RulesSource() {}

    /**
     * Returns the text of a version of a running service.
     *
     * @param version number of the version, or null for the newest one
     */
    static String of(ServiceClient client, String pipeline, @Nullable Long version) {
        String path = RulesServiceCommand.rules(pipeline);
        long number = version == null ? client.get(path).path("newest").asLong() : version;
        return client.get(path + "/" + number).path("text").asString("");
    }

    /**
     * Returns rules in one style of YAML, without comments, so that texts with the same meaning are equal.
     *
     * @param text rules as a file or a version has them; returned as it is if it can't be read
     */
    static String inOneStyle(String pipeline, String text) {
        try {
            return StepProperties.in(RulesReader.environment(pipeline, text), pipeline)
                    .text()
                    .text();
        } catch (ConfigurationException _) {
            return text; // a version of another release
        }
    }

    /**
     * Returns the text of a file: with {@code steps}, or a configuration that has the pipeline.
     *
     * @throws ServiceException if the file has neither
     */
    public static String of(Path file, String pipeline) {
        try {
            String text = Files.readString(file);
            ConfigurableEnvironment environment = ConfigurationFiles.load(List.of(file));
            if (environment.containsProperty("millrace.pipelines." + pipeline + ".schema")) {
                return StepProperties.in(environment, pipeline).text().text();
            }
            var _ = RulesReader.read(pipeline, text);
            return text;
        } catch (ConfigurationException e) {
            throw new ServiceException(
                    CommandErrorCode.RULES_INVALID,
                    "File '" + file + "' has no rules of pipeline '" + pipeline + "': "
                            + e.problems().getFirst().message());
        } catch (IOException e) {
            throw new ServiceException(CommandErrorCode.UNREADABLE_FILE, FileErrors.describe(file.toString(), e));
        }
    }
}
