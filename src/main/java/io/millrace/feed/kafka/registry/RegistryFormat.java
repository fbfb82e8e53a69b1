package io.millrace.feed.kafka.registry;

import java.net.http.HttpHeaders;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/**
 * The form in which a message names its schema: a byte 0, and an ID, high byte first. The API of the registry belongs
 * to it.
 */
public enum RegistryFormat {

    /**
     * That of Confluent's Schema Registry, with IDs of four bytes.
     *
     * <pre>
     * | 0 | ID (4) | value ... |
     * </pre>
     */
    CONFLUENT(Integer.BYTES, "/schemas/ids/") {
        // The response leaves out the type of Avro.
        @Override
        String type(HttpHeaders headers, JsonNode body) {
            return body.path("schemaType").asString("AVRO");
        }

        @Override
        boolean isUnknownSchema(JsonNode body) {
            return body.path("error_code").asInt(0) == SCHEMA_NOT_FOUND;
        }
    },

    /**
     * That of Apicurio Registry, with global IDs of eight bytes.
     *
     * <pre>
     * | 0 | global ID (8) | value ... |
     * </pre>
     */
    APICURIO(Long.BYTES, "/apis/registry/v3/ids/globalIds/") {
        @Override
        String type(HttpHeaders headers, JsonNode body) {
            return headers.firstValue("X-Registry-ArtifactType").orElse("");
        }

        @Override
        boolean isUnknownSchema(JsonNode body) {
            return body.path("name").asString("").endsWith("NotFoundException");
        }
    };

    private static final int SCHEMA_NOT_FOUND = 40_403;

    private final int idLength;
    private final String path;

    RegistryFormat(int idLength, String path) {
        this.idLength = idLength;
        this.path = path;
    }

    /** Returns the number of bytes of an ID. */
    int idLength() {
        return idLength;
    }

    /** Returns the path of a schema in the API of the registry. */
    String path(long id) {
        return path + id;
    }

    /** Returns the name as in a configuration. */
    String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Returns the type of a schema, in capital letters; empty if the response does not contain it.
     *
     * @param body of the response; missing if it is not JSON
     */
    abstract String type(HttpHeaders headers, JsonNode body);

    /**
     * Returns whether a response with status 404 is about a schema that is unknown. Otherwise, the address is wrong.
     *
     * @param body of the response; missing if it is not JSON
     */
    abstract boolean isUnknownSchema(JsonNode body);
}
