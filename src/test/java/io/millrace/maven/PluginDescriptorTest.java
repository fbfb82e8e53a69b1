package io.millrace.maven;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** The descriptor of the Maven plugin names the class of the goal, and all parameters that this class has. */
class PluginDescriptorTest {

    private final Element plugin = DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(Path.of("src/main/plugin/META-INF/maven/plugin.xml").toFile())
            .getDocumentElement();

    PluginDescriptorTest() throws ParserConfigurationException, IOException, SAXException {}

    private static Stream<Element> elements(Element parent, String name) {
        NodeList found = parent.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
    }

    private static String text(Element parent, String name) {
        return elements(parent, name).findFirst().orElseThrow().getTextContent();
    }

    @Test
    void shouldNameTheClassOfTheGoal() {
        assertThat(elements(plugin, "goal").map(Element::getTextContent)).containsExactly("generate");
        assertThat(text(plugin, "implementation")).isEqualTo(GenerateMojo.class.getName());
        assertThat(text(plugin, "goalPrefix")).isEqualTo("millrace");
        assertThat(text(plugin, "version")).isEqualTo("@project.version@");
    }

    @Test
    void shouldHaveAParameterForEachField() {
        Map<String, String> fields = Arrays.stream(GenerateMojo.class.getDeclaredFields())
                .filter(field -> !Modifier.isStatic(field.getModifiers()))
                .collect(Collectors.toMap(
                        Field::getName, field -> field.getType().getName()));
        Map<String, String> parameters = elements(plugin, "parameter")
                .collect(Collectors.toMap(each -> text(each, "name"), each -> text(each, "type")));
        assertThat(parameters).isEqualTo(fields);
    }

    /** Without a value here, Maven does not set the field. */
    @Test
    void shouldGiveEachParameterAValue() {
        Element configuration = elements(plugin, "configuration").findFirst().orElseThrow();
        List<String> names =
                elements(plugin, "parameter").map(each -> text(each, "name")).toList();
        assertThat(names).isNotEmpty();
        for (Element parameter : elements(plugin, "parameter").toList()) {
            String name = text(parameter, "name");
            Element value = elements(configuration, name).findFirst().orElseThrow();
            assertThat(value.getAttribute("implementation")).isEqualTo(text(parameter, "type"));
            assertThat(text(parameter, "description")).endsWith(".");
            if (text(parameter, "editable").equals("true")) {
                assertThat(value.getTextContent()).isEqualTo("${millrace.generate." + name + "}");
            }
        }
        assertThat(elements(configuration, "*").map(Element::getTagName)).containsExactlyInAnyOrderElementsOf(names);
    }
}
