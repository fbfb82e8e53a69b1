package io.millrace.schema.yaml;

import io.millrace.schema.Schema;
import java.nio.ByteOrder;
import java.util.Set;

/**
 * How a schema in YAML describes records of a layout.
 *
 * @param name name of the layout
 * @param attributes attributes of the schema that not every layout has
 * @param fieldAttributes attributes of fields that are not those of their type
 * @param reader reads a schema of this layout
 */
record LayoutSyntax(String name, Set<String> attributes, Set<String> fieldAttributes, Reader reader) {

    /** Reads a schema. */
    @FunctionalInterface
    interface Reader {

        /**
         * Reads a schema's fields and the attributes of its layout.
         *
         * @param order byte order of the fields
         * @throws SchemaException if there are problems, including earlier ones
         */
        Schema read(YamlMap root, String schemaName, Problems problems, ByteOrder order);
    }
}
