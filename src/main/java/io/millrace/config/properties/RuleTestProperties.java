package io.millrace.config.properties;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of a test of a pipeline's rules: a record in one of four forms, and what is expected to become of it.
 *
 * @param name name of the test
 * @param record values of the record by field name
 * @param json the record as a JSON object
 * @param csv the record as a line of CSV after a header
 * @param hex bytes of the record in hexadecimal
 * @param expect what is expected, if the record stays one record
 * @param expectEach what is expected of each record that the steps make of it, in order
 */
public record RuleTestProperties(
        @Nullable String name,
        @DefaultValue Map<String, Object> record,
        @Nullable String json,
        @Nullable String csv,
        @Nullable String hex,
        @Nullable OutcomeProperties expect,
        @DefaultValue List<OutcomeProperties> expectEach) {

    /**
     * Properties of an expected outcome, of which exactly one of {@code to}, {@code dropped} and {@code rejected} is
     * set.
     *
     * @param to targets that receive the record: a region, or channel: and the name of a message channel
     * @param fields values that the record then has, by field name; other fields can have any value
     * @param dropped true if a rule drops the record
     * @param rejected reason for which the record is rejected, such as no-match
     */
    public record OutcomeProperties(
            @DefaultValue List<String> to,
            @DefaultValue Map<String, String> fields,
            @Nullable Boolean dropped,
            @Nullable String rejected) {}
}
