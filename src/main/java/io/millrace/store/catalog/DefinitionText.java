package io.millrace.store.catalog;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.millrace.schema.evolution.SchemaDescription;
import io.millrace.store.catalog.StoredDefinition.Kind;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Definitions as JSON text, the form in which the catalog stores them. The first property is the version: 2 of regions
 * of entries, because those of version 1 have no checksums, else 1. A reader ignores unknown properties, and refuses
 * other versions. Thread-safe.
 */
public final class DefinitionText {

    private static final int VERSION = 1;
    private static final int VERSION_OF_ENTRIES = 2;

    private static final String LAYOUT = "layout";
    private static final String ENTRIES = "entries";

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(SerializationFeature.INDENT_OUTPUT)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .changeDefaultPropertyInclusion(inclusion -> inclusion.withValueInclusion(JsonInclude.Include.NON_NULL))
            .build();

    private DefinitionText() {}

    /** A definition in JSON. */
    public record Form(
            int version,
            String kind,
            Map<String, String> properties,
            @Nullable SchemaDescription schema,
            @Nullable List<SchemaDescription> history) {

        /** Returns the form of a definition. */
        public static Form of(StoredDefinition definition) {
            return new Form(
                    version(definition.properties()),
                    definition.kind().tag(),
                    definition.properties(),
                    definition.schema(),
                    definition.history().isEmpty() ? null : definition.history());
        }

        private static int version(Map<String, String> properties) {
            return ENTRIES.equals(properties.get(LAYOUT)) ? VERSION_OF_ENTRIES : VERSION;
        }

        /**
         * Returns the definition.
         *
         * @throws IllegalArgumentException if it has another version, or an unknown kind
         */
        public StoredDefinition definition() {
            int known = version(properties);
            if (version == VERSION && known == VERSION_OF_ENTRIES) {
                throw new IllegalArgumentException("Its entries have no checksums, because an earlier version of"
                        + " Millrace wrote them. Move the data folder away and read the feeds again.");
            }
            if (version != known) {
                throw new IllegalArgumentException(
                        "Unknown version " + version + " of a definition. This Millrace reads version " + known + ".");
            }
            return new StoredDefinition(Kind.of(kind), properties, schema, history == null ? List.of() : history);
        }
    }

    /** An entry of the catalog in JSON; {@code GET /api/catalog} returns a list of them. */
    public record EntryForm(String name, boolean open, long values, Form definition) {

        /** Returns the form of an entry. */
        public static EntryForm of(CatalogEntry entry) {
            return new EntryForm(entry.name(), entry.open(), entry.values(), Form.of(entry.definition()));
        }

        private CatalogEntry entry() {
            return new CatalogEntry(name, definition.definition(), open, values);
        }
    }

    /** Returns a definition's text. */
    public static String write(StoredDefinition definition) {
        return JSON.writeValueAsString(Form.of(definition));
    }

    /**
     * Parses a definition.
     *
     * @throws IllegalArgumentException if the text does not have the format of {@link #write}
     */
    public static StoredDefinition read(String text) {
        try {
            return JSON.readValue(text, Form.class).definition();
        } catch (JacksonException | NullPointerException e) { // Jackson accepts JSON's null.
            throw new IllegalArgumentException("Invalid definition: " + e.getMessage(), e);
        }
    }

    /** Returns the text of a schema's description. */
    public static String writeSchema(SchemaDescription schema) {
        return JSON.writeValueAsString(schema);
    }

    /**
     * Parses the description of a schema.
     *
     * @throws IllegalArgumentException if the text does not have the format of {@link #writeSchema}
     */
    public static SchemaDescription readSchema(String text) {
        try {
            return JSON.readValue(text, SchemaDescription.class);
        } catch (JacksonException | NullPointerException e) { // Jackson accepts JSON's null.
            throw new IllegalArgumentException("Invalid description of a schema: " + e.getMessage(), e);
        }
    }

    /**
     * Parses a JSON list of {@linkplain EntryForm forms} of entries.
     *
     * @throws IllegalArgumentException if it is not such a list
     */
    public static List<CatalogEntry> readEntries(String text) {
        try {
            return Stream.of(JSON.readValue(text, EntryForm[].class))
                    .map(EntryForm::entry)
                    .toList();
        } catch (JacksonException | NullPointerException e) {
            throw new IllegalArgumentException("Invalid list of definitions: " + e.getMessage(), e);
        }
    }
}
