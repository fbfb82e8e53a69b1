package io.millrace.store.write;

import io.millrace.store.error.CorruptDataException;
import java.time.Instant;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A version of the rules of a pipeline. Immutable: a change of rules adds a version, and a rollback adds one with the
 * content of an earlier one.
 *
 * @param number number of the version, from 1
 * @param time when it was added
 * @param author user who added it; of a configuration file, the user of the process
 * @param origin where it comes from, such as {@code file} or {@code http}
 * @param comment what the author says about it; may be empty
 * @param fingerprint equal for equal content
 * @param text the steps, in YAML
 */
public record RuleVersion(
        long number, Instant time, String author, String origin, String comment, String fingerprint, String text) {

    private static final JsonMapper JSON = JsonMapper.builder()
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .build();

    /** Returns the version as JSON, the form in which it is stored. */
    public String json() {
        return JSON.writeValueAsString(this);
    }

    /**
     * Parses what {@link #json} returned.
     *
     * @throws CorruptDataException if the text is not a version
     */
    public static RuleVersion parse(String json) {
        try {
            return JSON.readValue(json, RuleVersion.class);
        } catch (JacksonException e) {
            throw new CorruptDataException(
                    "Invalid version of rules. The stored text is corrupt: " + e.getMessage(), e);
        }
    }
}
