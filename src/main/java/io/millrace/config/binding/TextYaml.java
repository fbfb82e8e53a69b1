package io.millrace.config.binding;

import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * YAML whose plain scalars are texts, so that {@code NO}, {@code 010} and {@code 1e-400} remain what they are, as in
 * schemas: what a value means is up to the property. YAML 1.1, which Spring Boot reads, makes false, 8 and 0 of them.
 * Only null and merge keys have a meaning of their own. Stateless.
 */
final class TextYaml {

    private TextYaml() {}

    /** Resolves no numbers and no truth values. */
    private static final class Texts extends Resolver {
        @Override
        protected void addImplicitResolvers() {
            addImplicitResolver(Tag.MERGE, MERGE, "<");
            addImplicitResolver(Tag.NULL, NULL, "~nN\0");
            addImplicitResolver(Tag.NULL, EMPTY, null);
        }
    }

    /** Returns a loader. */
    static Yaml loader(SafeConstructor constructor, LoaderOptions options) {
        DumperOptions unused = new DumperOptions();
        return new Yaml(constructor, new Representer(unused), unused, options, new Texts());
    }

    /** Returns a dumper, which quotes only what this YAML requires to be quoted. */
    static Yaml dumper(DumperOptions options) {
        LoaderOptions unused = new LoaderOptions();
        return new Yaml(new SafeConstructor(unused), new Representer(options), options, unused, new Texts());
    }
}
