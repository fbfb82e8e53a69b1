package io.millrace.model.classfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.model.ModelWriter;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Classes whose getters Lombok generates, in a jar. */
class LombokImportTest {

    private static final String SOURCE = """
            package shop;

            import java.math.BigDecimal;
            import java.util.List;
            import lombok.Builder;
            import lombok.Data;
            import lombok.NonNull;
            import lombok.Value;

            @Data
            public class Order {
                private long id;
                private boolean open;
                @NonNull private Status status;
                private List<Line> lines;

                public enum Status { NEW, DONE }

                @Value
                @Builder
                public static class Line {
                    String product;
                    int count;
                }
            }
            """;

    @TempDir
    private Path folder;

    private Path jar() throws Exception {
        Path source = Files.writeString(folder.resolve("Order.java"), SOURCE);
        Path classes = Files.createDirectory(folder.resolve("classes"));
        String lombok = Path.of(Class.forName("lombok.Lombok")
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:full",
                        "-processorpath",
                        lombok,
                        "-cp",
                        lombok,
                        "-d",
                        classes.toString(),
                        source.toString());
        assertThat(exit).isZero();
        Path jar = folder.resolve("shop.jar");
        try (FileSystem archive =
                        FileSystems.newFileSystem(URI.create("jar:" + jar.toUri()), Map.of("create", "true"));
                Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = archive.getPath(classes.relativize(file).toString());
                Files.createDirectories(target.toAbsolutePath().getParent());
                Files.copy(file, target);
            }
        }
        return jar;
    }

    @Test
    void shouldReadGettersThatLombokGenerated() throws Exception {
        List<Path> classPath = List.of(jar());
        assertThatThrownBy(() -> ClassImport.read("order", "shop.Order", classPath, ClassImport.Options.NONE))
                .hasMessageContaining("views of shop.Order$Line: it is final.")
                .hasMessageContaining("views of shop.Order: it has no constructor without parameters")
                .hasMessageContaining("or accept this with --allow Order if you create no views of it.");
        ClassImport.Result imported = ClassImport.read(
                "order", "shop.Order", classPath, new ClassImport.Options(Set.of(), 0, Set.of("Order", "Line"), false));
        String text = ModelWriter.write(imported.schema());
        Schema schema = SchemaReader.read("order.yml", text.getBytes(StandardCharsets.UTF_8));
        assertThat(schema.names()).contains("id", "open", "status");
        assertThat(text)
                .contains("# Accepted by --allow: Line, Order.\n")
                .contains("{ name: id, type: i64")
                .contains("values: [NEW, DONE]")
                .contains("name: lines")
                .contains("{ name: count, type: i32")
                .contains("name: product");
    }
}
