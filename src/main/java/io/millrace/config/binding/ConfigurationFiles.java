package io.millrace.config.binding;

import static io.millrace.schema.ProblemCode.INVALID_YAML;
import static io.millrace.schema.ProblemCode.UNREADABLE_FILE;

import io.millrace.codec.file.FileErrors;
import io.millrace.pipeline.definition.Problem;
import io.millrace.schema.NearestName;
import io.millrace.schema.yaml.YamlErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads configuration files without starting an application. */
public final class ConfigurationFiles {

    private static final int SNIPPET_MAX = 100;
    private static final Path STANDARD_INPUT = Path.of("-");
    private static final String STANDARD_INPUT_NAME = "stdin";

    private ConfigurationFiles() {}

    /**
     * Returns an environment of these YAML files, of which later ones take precedence over earlier ones, except that it
     * has the tests of all. {@code -} is the standard input.
     *
     * @throws ConfigurationException for a file that can't be read
     */
    public static ConfigurableEnvironment load(List<Path> files) {
        StandardEnvironment environment = new StandardEnvironment();
        ConfigurationYaml loader = new ConfigurationYaml();
        for (Path file : files) {
            String name = name(file);
            try {
                loader.load(isStandardInput(file) ? name : file.toString(), resource(file))
                        .forEach(environment.getPropertySources()::addFirst);
            } catch (YAMLException e) {
                throw new ConfigurationException(List.of(problem(name, e)));
            } catch (IOException e) {
                throw new ConfigurationException(
                        List.of(new Problem(name, UNREADABLE_FILE.message(FileErrors.describe(file.toString(), e)))));
            }
        }
        TestMerge.merge(environment);
        return environment;
    }

    /** Returns the name of a file in messages. */
    static String name(Path file) {
        return isStandardInput(file) ? STANDARD_INPUT_NAME : String.valueOf(file.getFileName());
    }

    private static boolean isStandardInput(Path file) {
        return file.equals(STANDARD_INPUT);
    }

    private static Resource resource(Path file) throws IOException {
        if (!isStandardInput(file)) {
            return new FileSystemResource(file);
        }
        return new ByteArrayResource(System.in.readAllBytes()) { // the places of mistakes are found in it later
            @Override
            public String getFilename() {
                return STANDARD_INPUT_NAME;
            }
        };
    }

    private static Problem problem(String file, YAMLException e) {
        Mark place = YamlErrors.place(e);
        return place == null
                ? new Problem(file, INVALID_YAML.message(YamlErrors.describe(e)))
                : new Problem(
                        file + ":" + (place.getLine() + 1) + ":" + (place.getColumn() + 1),
                        INVALID_YAML.message(YamlErrors.describe(e)) + "\n" + place.get_snippet(2, SNIPPET_MAX));
    }

    /** Returns the error of the first unreadable file, or null if all are readable. */
    public static @Nullable String refusal(List<Path> files) {
        for (Path file : files) {
            if (isStandardInput(file)) {
                return "Invalid file '-'. Only check, explain, test and backtest read a configuration from the standard"
                        + " input. Name a file.";
            }
            String refusal = FileErrors.refusal(file);
            if (refusal != null) {
                String nearest = Files.exists(file)
                        ? null // The name is right: another one would not help.
                        : NearestName.of(String.valueOf(file.getFileName()), near(file));
                return nearest == null ? refusal : refusal + " Did you mean '" + nearest + "'?";
            }
            if (!file.toString().matches("(?i).*\\.ya?ml")) {
                return "Unknown kind of file: '" + file + "'. Use a YAML file whose name ends in .yml or .yaml.";
            }
        }
        return null;
    }

    /** The names of the YAML files next to one. */
    private static List<String> near(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        try (Stream<Path> files = folder == null ? Stream.empty() : Files.list(folder)) {
            return files.map(other -> String.valueOf(other.getFileName()))
                    .filter(name -> name.endsWith(".yml") || name.endsWith(".yaml"))
                    .toList();
        } catch (IOException _) {
            return List.of();
        }
    }

    /** An environment of the sample pipelines' configuration. */
    public static ConfigurableEnvironment sample() {
        StandardEnvironment environment = new StandardEnvironment();
        SamplePipelines.sources().forEach(environment.getPropertySources()::addFirst);
        return environment;
    }
}
