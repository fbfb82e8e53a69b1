package io.millrace.maven;

import io.millrace.schema.yaml.SchemaException;
import io.millrace.view.source.SourceFiles;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.project.MavenProject;
import org.jspecify.annotations.Nullable;

/**
 * The goal {@code millrace:generate}: writes Java sources for the schemas of a project, and adds their folder to the
 * sources that Maven compiles. Maven sets the fields by {@code META-INF/maven/plugin.xml}, which describes them. Runs
 * in Maven's JVM. Not thread-safe; Maven creates an object for each execution.
 */
public final class GenerateMojo extends AbstractMojo {

    private @Nullable File schemas;
    private @Nullable String packageName;
    private boolean classes;
    private boolean both;
    private @Nullable List<String> superinterfaces;
    private @Nullable File output;
    private @Nullable MavenProject project;

    /** Used by Maven. */
    public GenerateMojo() {}

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        File folder = Objects.requireNonNull(output);
        File input = Objects.requireNonNull(schemas);
        if (!input.exists()) {
            throw new MojoFailureException(
                    "Missing folder of schemas '" + input + "'. Create it, or set 'schemas' to a folder or a file.");
        }
        try {
            for (SourceFiles.Written written : SourceFiles.write(
                    List.of(input.toPath()),
                    Objects.requireNonNull(packageName),
                    SourceFiles.Types.of(classes, both),
                    superinterfaces == null ? List.of() : superinterfaces,
                    folder.toPath())) {
                log(written);
            }
        } catch (IllegalArgumentException | SchemaException e) {
            throw new MojoFailureException(e.getMessage(), e);
        } catch (IOException e) {
            throw new MojoExecutionException("Unable to write sources to '" + folder + "': " + e.getMessage(), e);
        }
        Objects.requireNonNull(project).addCompileSourceRoot(folder.getPath());
    }

    private void log(SourceFiles.Written written) {
        switch (written.change()) {
            case CREATED -> getLog().info("Created " + written.file());
            case CHANGED -> getLog().info("Changed " + written.file());
            case REMOVED -> getLog().info("Removed " + written.file());
            case UNCHANGED -> getLog().debug("Unchanged: " + written.file());
        }
    }
}
