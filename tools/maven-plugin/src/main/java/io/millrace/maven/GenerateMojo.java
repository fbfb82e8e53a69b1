package io.millrace.maven;

import io.millrace.codec.view.SourceFiles;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/**
 * Writes a Java interface with getters and setters for each schema of the project, for use with {@code RecordViews}, and
 * adds the folder to the sources that are compiled. Runs in Maven's process. A file whose content would stay the same is
 * not written.
 */
@Mojo(name = "generate", defaultPhase = LifecyclePhase.GENERATE_SOURCES, threadSafe = true)
public final class GenerateMojo extends AbstractMojo {

    /** Folder of the schemas, including the folders in it. */
    @Parameter(property = "millrace.schemas", defaultValue = "${project.basedir}/src/main/schemas")
    private File schemas;

    /** Package of the interfaces. */
    @Parameter(property = "millrace.package", required = true)
    private String packageName;

    /** Folder of the sources. */
    @Parameter(property = "millrace.output", defaultValue = "${project.build.directory}/generated-sources/millrace")
    private File output;

    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    /** Used by Maven. */
    public GenerateMojo() {}

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        try {
            for (SourceFiles.Written written : SourceFiles.write(schemaFiles(), packageName, output.toPath())) {
                String line = written.change() + " " + written.file();
                if (written.change() == SourceFiles.Change.UNCHANGED) {
                    getLog().debug(line);
                } else {
                    getLog().info(line);
                }
            }
        } catch (IllegalArgumentException e) {
            throw new MojoFailureException(e.getMessage(), e);
        } catch (IOException e) {
            throw new MojoExecutionException("Unable to write sources to " + output + ".", e);
        }
        project.addCompileSourceRoot(output.getPath());
    }

    private List<Path> schemaFiles() throws IOException, MojoFailureException {
        if (!schemas.isDirectory()) {
            throw new MojoFailureException("Unknown folder of schemas: " + schemas + ". Set 'schemas'.");
        }
        try (Stream<Path> files = Files.walk(schemas.toPath())) {
            return files.filter(file -> file.getFileName().toString().matches(".*\\.ya?ml"))
                    .sorted()
                    .toList();
        }
    }
}
