package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.json.RecordViewModule;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Views of types that contain themselves, to the depth of their schema. */
class RecursiveTypeTest {

    private static final Schema SCHEMA = read("""
            schema: t
            layout: compact
            types:
              Node:
                fields:
                  - { name: name, type: string, length: 20 }
                  - { name: next, type: Node, optional: true, depth: 3 }
                  - { name: children, type: Node, repeat: 10, depth: 3 }
            extends: Node
            """);

    private static Schema read(String yaml) {
        return SchemaReader.read("t.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    /** A class that contains itself. */
    public static class Node {
        private String name = "";
        private @Nullable Node next;
        private List<Node> children = new ArrayList<>();

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public @Nullable Node getNext() {
            return next;
        }

        public void setNext(@Nullable Node next) {
            this.next = next;
        }

        public List<Node> getChildren() {
            return children;
        }

        public void setChildren(List<Node> children) {
            this.children = children;
        }
    }

    /** A record class that contains itself. */
    public record Chain(String name, Optional<Chain> next, List<Chain> children) {}

    private static Node node(String name, int below) {
        Node node = new Node();
        node.setName(name);
        if (below > 0) {
            node.setNext(node(name + "n", below - 1));
            node.getChildren().add(node(name + "a", below - 1));
            node.getChildren().add(node(name + "b", below - 1));
        }
        return node;
    }

    private static String text(@Nullable Node node) {
        return node == null
                ? "-"
                : node.getName() + "(" + text(node.getNext())
                        + node.getChildren().stream()
                                .map(RecursiveTypeTest::text)
                                .toList() + ")";
    }

    @Test
    void shouldHaveTheContentOfTheObject() {
        RecordViews<Node> views = RecordViews.of(Node.class, SCHEMA);
        for (int below = 0; below < 3; below++) {
            Node node = node("r", below);
            Node view = views.view(node);

            assertThat(text(view)).isEqualTo(text(node));
            assertThat(views.of(views.bytes(view))).isEqualTo(view);
            assertThat(text(views.edit(view))).isEqualTo(text(node));
        }
    }

    @Test
    void shouldRefuseMoreLevelsThanTheSchemaHas() {
        RecordViews<Node> views = RecordViews.of(Node.class, SCHEMA);
        Node chain = node("r", 0);
        Node first = node("s", 0);
        chain.setNext(first);
        Node second = node("t", 0);
        first.setNext(second);
        second.setNext(node("u", 0));
        assertThatThrownBy(() -> views.view(chain))
                .hasMessage("Invalid value of 'next.next.next': the type contains itself more often than the schema"
                        + " allows. Use a larger 'depth'.");
        second.setNext(null);
        second.getChildren().add(node("u", 0));
        assertThatThrownBy(() -> views.view(chain)).hasMessageContaining("'next.next.children'");

        Node mutable = views.edit(views.view(node("r", 2)));
        Node innermost =
                Objects.requireNonNull(Objects.requireNonNull(mutable.getNext()).getNext());
        assertThat(innermost.getNext()).isNull();
        assertThat(innermost.getChildren()).isEmpty();
        assertThatThrownBy(() -> innermost.setNext(node("u", 0))).hasMessageContaining("Use a larger 'depth'.");
        assertThatThrownBy(() -> innermost.getChildren().add(node("u", 0)))
                .isInstanceOf(UnsupportedOperationException.class);
        innermost.setNext(null);
        innermost.setChildren(List.of());
    }

    @Test
    void shouldCreateRecordsOfARecordClass() {
        RecordViews<Chain> views = RecordViews.of(Chain.class, SCHEMA);
        Chain chain = new Chain(
                "a",
                Optional.of(new Chain("b", Optional.of(new Chain("c", Optional.empty(), List.of())), List.of())),
                List.of(new Chain("d", Optional.empty(), List.of())));

        assertThat(views.of(views.bytes(chain))).isEqualTo(chain);
    }

    @Test
    void shouldReadTheJsonOfTheObjectToItsDepth() {
        JsonMapper plain = JsonMapper.builder().build();
        RecordViews<Node> views = RecordViews.of(Node.class, SCHEMA);
        JsonMapper mapper =
                JsonMapper.builder().addModule(new RecordViewModule(views)).build();

        Node node = node("r", 2);
        assertThat(text(mapper.readValue(plain.writeValueAsString(node), Node.class)))
                .isEqualTo(text(node));
        assertThatThrownBy(() -> mapper.readValue(plain.writeValueAsString(node("r", 3)), Node.class))
                .hasMessageContaining("the type contains itself more often than the schema allows");
    }
}
