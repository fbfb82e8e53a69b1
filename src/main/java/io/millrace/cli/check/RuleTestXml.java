package io.millrace.cli.check;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;

/** Writes the results of tests of rules in the XML form of JUnit, which CI servers read. */
final class RuleTestXml {

    private RuleTestXml() {}

    static void write(List<RuleTestReport> reports, Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        if (folder != null) {
            Files.createDirectories(folder);
        }
        try (Writer out = Files.newBufferedWriter(file)) {
            XMLStreamWriter xml = XMLOutputFactory.newDefaultFactory().createXMLStreamWriter(out);
            xml.writeStartDocument("UTF-8", "1.0");
            xml.writeStartElement("testsuites");
            for (RuleTestReport report : reports) {
                write(report, xml);
            }
            xml.writeEndDocument();
            xml.close();
        } catch (XMLStreamException e) {
            throw new IOException(e);
        }
    }

    private static void write(RuleTestReport report, XMLStreamWriter xml) throws XMLStreamException {
        xml.writeStartElement("testsuite");
        xml.writeAttribute("name", report.pipeline());
        xml.writeAttribute("tests", String.valueOf(report.tests().size()));
        xml.writeAttribute(
                "failures",
                String.valueOf(report.tests().stream()
                        .filter(test -> !test.differences().isEmpty())
                        .count()));
        for (RuleTestReport.Result test : report.tests()) {
            xml.writeStartElement("testcase");
            xml.writeAttribute("classname", report.pipeline());
            xml.writeAttribute("name", test.name());
            if (!test.differences().isEmpty()) {
                xml.writeStartElement("failure");
                xml.writeAttribute("message", test.differences().getFirst());
                xml.writeCharacters(String.join("\n", test.differences()));
                xml.writeEndElement();
            }
            xml.writeEndElement();
        }
        xml.writeEndElement();
    }
}
