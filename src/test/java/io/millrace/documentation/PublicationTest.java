package io.millrace.documentation;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.architecture.ApiSurface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The POM itself has what Maven repositories require, and does not inherit it from Spring Boot. */
class PublicationTest {

    private static final List<String> REQUIRED = List.of(
            "groupId",
            "artifactId",
            "version",
            "name",
            "description",
            "url",
            "licenses/license/name",
            "licenses/license/url",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url");

    @SuppressWarnings("NullAway.Init") // set before all tests
    private static Document pom;

    @BeforeAll
    static void read() throws Exception {
        pom = DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(Path.of("pom.xml").toFile());
    }

    private static List<String> texts(String path) throws Exception {
        NodeList nodes =
                (NodeList) XPathFactory.newDefaultInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> nodes.item(i).getTextContent())
                .toList();
    }

    @Test
    void shouldHaveWhatRepositoriesRequire() throws Exception {
        List<String> missing = new ArrayList<>();
        for (String element : REQUIRED) {
            if (texts("/project/" + element).stream().allMatch(String::isBlank)) {
                missing.add(element);
            }
        }
        assertThat(missing).isEmpty();
    }

    @Test
    void shouldHaveTheJavadocOfThePackagesOfTheApi() throws Exception {
        assertThat(texts("//sourceFileIncludes/include"))
                .containsExactlyInAnyOrderElementsOf(ApiSurface.types().stream()
                        .map(type -> type.getPackageName().replace('.', '/') + "/*.java")
                        .distinct()
                        .toList());
    }
}
