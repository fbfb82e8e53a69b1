package io.millrace.model.sample;

import io.millrace.codec.json.JsonRecordException;
import io.millrace.codec.json.JsonToCompact;
import io.millrace.model.ModelException;
import io.millrace.model.ModelSchema;
import io.millrace.schema.Schema;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Samples as JSON objects. Stateless. */
public final class JsonSampleFormat implements SampleFormat {

    private static final Pattern FIELD_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    /** Maximum depth of nested groups in the compact layout. */
    private static final int MAX_DEPTH = 32;

    private static final int BATCH_BYTES = 1 << 20;

    private final JsonFactory json = new JsonFactory();

    @Override
    public ModelSchema infer(String name, InferredTypes types, List<Path> files, Opener opener) throws IOException {
        Places places = new Places();
        SampleField root = SampleField.root(places, types);
        for (Path file : files) {
            places.file(file.toString());
            try (JsonRecords records = new JsonRecords(opener.open(file))) {
                while (!places.isFull() && next(records, places)) {
                    read(records, root, places);
                }
            }
        }
        places.throwIfAny();
        if (root.count() == 0) {
            throw new ModelException(List.of(files.getFirst() + ": No samples. Use a file with at least one object."));
        }
        ModelSchema schema = ModelSchema.of(name, "compact");
        schema.head()
                .add("# Imported by 'millrace model json' from " + root.count() + " objects. You can edit this file:");
        schema.head().add("# the next import keeps your changes.");
        schema.fields().addAll(root.fields(false));
        if (schema.fields().isEmpty()) {
            throw new ModelException(List.of(files.getFirst() + ": No fields. Use objects with at least one member."));
        }
        places.throwIfAny();
        return schema;
    }

    private static boolean next(JsonRecords records, Places places) throws IOException {
        try {
            boolean any = records.next();
            places.line(records.line());
            return any;
        } catch (IllegalArgumentException e) {
            places.line(records.line());
            places.problem("structure", String.valueOf(e.getMessage()));
            return false;
        }
    }

    private void read(JsonRecords records, SampleField root, Places places) {
        try (JsonParser parser =
                json.createParser(ObjectReadContext.empty(), records.bytes(), records.from(), records.length())) {
            parser.nextToken();
            object(parser, root, places, records.line(), 0);
        } catch (JacksonException e) {
            int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
            places.line(records.line() + line - 1);
            places.problem("syntax" + places, "Invalid JSON: " + e.getOriginalMessage());
        }
    }

    private void object(JsonParser parser, SampleField field, Places places, long firstLine, int depth) {
        if (depth > MAX_DEPTH) {
            places.problem("depth", "Too many nested objects. Use at most " + MAX_DEPTH + " levels.");
            parser.skipChildren();
            return;
        }
        if (!field.object()) {
            parser.skipChildren();
            return;
        }
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            places.line(firstLine + parser.currentTokenLocation().getLineNr() - 1);
            parser.nextToken();
            if (!FIELD_NAME.matcher(name).matches()) {
                places.problem(
                        "name " + name,
                        "Invalid name '" + name + "'. The names of members become those of fields:"
                                + " use letters, digits and _, not starting with a digit.");
                parser.skipChildren();
                continue;
            }
            SampleField member = field.member(name);
            if (member == null) {
                parser.skipChildren();
            } else if (parser.currentToken() != JsonToken.VALUE_NULL) {
                value(parser, member, places, firstLine, depth);
            }
        }
    }

    private void value(JsonParser parser, SampleField field, Places places, long firstLine, int depth) {
        switch (parser.currentToken()) {
            case START_OBJECT -> object(parser, field, places, firstLine, depth + 1);
            case START_ARRAY -> array(parser, field, places, firstLine, depth);
            case VALUE_TRUE, VALUE_FALSE -> field.value(parser.getString(), SampleField.Kind.TRUTH);
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> field.value(parser.getString(), SampleField.Kind.NUMBER);
            default -> field.value(parser.getString(), SampleField.Kind.TEXT);
        }
    }

    private void array(JsonParser parser, SampleField field, Places places, long firstLine, int depth) {
        SampleField element = field.array();
        if (element == null) {
            parser.skipChildren();
            return;
        }
        int count = 0;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            count++;
            places.line(firstLine + parser.currentTokenLocation().getLineNr() - 1);
            if (parser.currentToken() == JsonToken.START_ARRAY) {
                places.problem(
                        "nested " + element.path(),
                        "Array in the array '" + field.path() + "'. Use objects as elements.");
                parser.skipChildren();
            } else if (parser.currentToken() == JsonToken.VALUE_NULL) {
                places.problem(
                        "null " + element.path(), "null in the array '" + field.path() + "'. Leave such elements out.");
            } else {
                value(parser, element, places, firstLine, depth);
            }
        }
        field.elements(count);
    }

    @Override
    public long convert(Schema schema, List<Path> files, Opener opener, Consumer<String> rejects) throws IOException {
        JsonToCompact converter = new JsonToCompact(schema);
        long converted = 0;
        for (Path file : files) {
            try (JsonRecords records = new JsonRecords(opener.open(file))) {
                while (records.next()) {
                    try {
                        converter.append(records.bytes(), records.from(), records.length());
                        converted++;
                    } catch (JsonRecordException e) {
                        e.reasons().forEach(reason -> rejects.accept(file + ":" + records.line() + ": " + reason));
                    }
                    if (converter.encoder().length() > BATCH_BYTES) {
                        converter.encoder().clear();
                    }
                }
            }
        }
        return converted;
    }
}
