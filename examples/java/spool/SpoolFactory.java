package spool;

import io.millrace.extension.PropertyCheck;
import io.millrace.output.OutputContext;
import io.millrace.output.OutputDefinition;
import io.millrace.output.OutputFactory;
import io.millrace.output.OutputWriter;
import io.millrace.schema.Schema;
import java.nio.file.Path;
import org.springframework.stereotype.Component;

/** Your own kind of output: a folder with files of complete records, for programs that read whole files. */
@Component
public final class SpoolFactory implements OutputFactory<SpoolFactory.Properties> {

    /**
     * The properties of a spool.
     *
     * @param folder folder of the files
     */
    public record Properties(Path folder) {}

    @Override
    public String name() {
        return "spool";
    }

    @Override
    public Class<Properties> propertiesType() {
        return Properties.class;
    }

    @Override
    public OutputDefinition define(Properties properties, PropertyCheck check) {
        if (properties.folder() == null) {
            check.problem("folder", "Missing value: the folder of the files.");
            return null;
        }
        return new Spool(properties.folder());
    }

    private record Spool(Path folder) implements OutputDefinition {

        @Override
        public String describe() {
            return "spool in " + folder;
        }

        @Override
        public void check(Schema schema, PropertyCheck check) {
            if (schema.layout().variesInLength()) {
                check.problem("", "Records of schema '" + schema.name() + "' vary in length. Use a fixed schema.");
            }
        }

        @Override
        public OutputWriter create(OutputContext context) {
            if (context.instance() != null) {
                throw new IllegalStateException("A spool needs a feed with positions. Use another output.");
            }
            return new SpoolWriter(
                    folder.resolve(context.name()), context.schema().recordLength());
        }
    }
}
