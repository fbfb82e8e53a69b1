package io.millrace.config.binding;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.YamlProcessor;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.env.PropertySourceLoader;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.boot.origin.TextResourceOrigin;
import org.springframework.core.Ordered;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.Resource;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;
import org.yaml.snakeyaml.resolver.Resolver;

/**
 * Loads YAML files as Spring Boot does, except that the values under {@code millrace} keep their text, as in schemas:
 * {@code NO} and {@code 010} remain what they are, and the type of the property gives them a meaning. Spring Boot would
 * make false and 8 of them, as YAML 1.1 does. Spring Boot prefers this loader to its own one. Stateless.
 */
public final class ConfigurationYaml implements PropertySourceLoader, Ordered {

    @Override
    public String[] getFileExtensions() {
        return new String[] {"yml", "yaml"};
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public List<PropertySource<?>> load(String name, Resource resource) throws IOException {
        List<Map<String, Object>> documents = new Documents(resource).load();
        List<PropertySource<?>> sources = new ArrayList<>();
        for (int i = 0; i < documents.size(); i++) {
            String number = documents.size() == 1 ? "" : " (document #" + i + ")";
            sources.add(new OriginTrackedMapPropertySource(
                    name + number, Collections.unmodifiableMap(documents.get(i)), true));
        }
        return sources;
    }

    /** The documents of a file, as properties with their places. Used once. */
    private static final class Documents extends YamlProcessor {

        private final Resource resource;

        Documents(Resource resource) {
            this.resource = resource;
            setResources(resource);
        }

        List<Map<String, Object>> load() {
            List<Map<String, Object>> documents = new ArrayList<>();
            process((_, document) -> documents.add(getFlattenedMap(document)));
            return documents;
        }

        @Override
        protected Yaml createYaml() {
            LoaderOptions options = new LoaderOptions();
            options.setAllowDuplicateKeys(false);
            options.setMaxAliasesForCollections(Integer.MAX_VALUE);
            options.setAllowRecursiveKeys(true);
            options.setCodePointLimit(Integer.MAX_VALUE);
            DumperOptions unused = new DumperOptions();
            return new Yaml(
                    new TrackedValues(resource, options),
                    new Representer(unused),
                    unused,
                    options,
                    new WithoutTimestamps());
        }
    }

    /** Reads dates as texts, as Spring Boot does. */
    private static final class WithoutTimestamps extends Resolver {
        @Override
        public void addImplicitResolver(Tag tag, Pattern form, String first, int limit) {
            if (!tag.equals(Tag.TIMESTAMP)) {
                super.addImplicitResolver(tag, form, first, limit);
            }
        }
    }

    /** Constructs values with their places. */
    private static final class TrackedValues extends SafeConstructor {

        private final Resource resource;

        /** The nodes under {@code millrace}. */
        private final Set<Node> texts = Collections.newSetFromMap(new IdentityHashMap<>());

        private boolean inDocument;

        TrackedValues(Resource resource, LoaderOptions options) {
            super(options);
            this.resource = resource;
        }

        /** A key of a mapping, which is always a text. */
        private static final class Key extends ScalarNode {
            Key(ScalarNode node, Tag tag, String text) {
                super(tag, text, node.getStartMark(), node.getEndMark(), node.getScalarStyle());
            }
        }

        @Override
        public @Nullable Object getData() {
            inDocument = false;
            Object data = super.getData();
            return data instanceof CharSequence text && text.isEmpty() ? null : data;
        }

        @Override
        protected Object constructObject(Node node) {
            if (!inDocument) {
                inDocument = true;
                findTexts(node);
            }
            if (node instanceof SequenceNode list && list.getValue().isEmpty()) {
                return tracked(node, "");
            }
            if (node instanceof ScalarNode scalar && !(node instanceof Key)) {
                Tag tag = node.getTag();
                boolean known = tag.startsWith(Tag.PREFIX) && !tag.equals(Tag.NULL);
                boolean text = known && texts.contains(node);
                return tracked(node, text ? scalar.getValue() : super.constructObject(node));
            }
            if (node instanceof MappingNode mapping) {
                List<NodeTuple> entries = new ArrayList<>(); // merge keys add some
                mapping.getValue().forEach(entry -> entries.add(withKey(entry)));
                mapping.setValue(entries);
            }
            return super.constructObject(node);
        }

        private void findTexts(Node document) {
            if (document instanceof MappingNode mapping) {
                for (NodeTuple entry : mapping.getValue()) {
                    if (entry.getKeyNode() instanceof ScalarNode key && RootKeys.isMillrace(key.getValue())) {
                        addText(entry.getValueNode());
                    }
                }
            }
        }

        private void addText(Node node) {
            if (!texts.add(node)) {
                return;
            }
            switch (node) {
                case SequenceNode list -> list.getValue().forEach(this::addText);
                case MappingNode mapping ->
                    mapping.getValue().forEach(entry -> {
                        addText(entry.getKeyNode());
                        addText(entry.getValueNode());
                    });
                default -> {}
            }
        }

        private NodeTuple withKey(NodeTuple entry) {
            if (!(entry.getKeyNode() instanceof ScalarNode key) || key instanceof Key) {
                return entry;
            }
            boolean text = texts.contains(key) && !key.getTag().equals(Tag.MERGE);
            // YAML 1.1 reads it as a number or a truth value: brackets keep a dot from dividing the name.
            boolean bracketed = text && !key.getTag().equals(Tag.STR);
            Tag tag = text ? Tag.STR : key.getTag();
            return new NodeTuple(
                    new Key(key, tag, bracketed ? "[" + key.getValue() + "]" : key.getValue()), entry.getValueNode());
        }

        private Object tracked(Node node, @Nullable Object value) {
            Mark mark = node.getStartMark();
            return OriginTrackedValue.of(
                    value == null ? "" : value,
                    new TextResourceOrigin(
                            resource, new TextResourceOrigin.Location(mark.getLine(), mark.getColumn())));
        }
    }
}
