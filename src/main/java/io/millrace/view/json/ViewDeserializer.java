package io.millrace.view.json;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.shape.RowCopy;
import io.millrace.codec.shape.RowNode;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.FieldType;
import io.millrace.schema.TimeFormats;
import io.millrace.view.RecordViews;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;

/** Reads JSON objects to immutable views, token by token. Stateless. */
final class ViewDeserializer<T> extends ValueDeserializer<T> {

    private final RecordViews<T> views;
    private final boolean settings;

    /** @param settings whether Jackson has settings for the types, which can't be used for reading */
    ViewDeserializer(RecordViews<T> views, boolean settings) {
        this.views = views;
        this.settings = settings;
    }

    @Override
    public T deserialize(JsonParser json, DeserializationContext context) {
        if (settings) {
            return context.reportBadDefinition(
                    views.type(),
                    "Jackson has settings for " + views.type().getName() + " or its parts, such as a naming strategy or"
                            + " annotations, with which an interface can't be read. Use a mapper without them, or a"
                            + " class.");
        }
        Shape shape = views.shape();
        RowNode node = RowNode.blank(shape.scope());
        object(shape, node.row(), 0, views.compact() ? node : null, json, context);
        return views.of(views.written(node));
    }

    private void object(
            Shape shape, byte[] row, int at, @Nullable RowNode node, JsonParser json, DeserializationContext context) {
        if (json.currentToken() != JsonToken.START_OBJECT) {
            context.reportInputMismatch(this, "Invalid value of '%s'. Use an object.", shape.path());
        }
        views.kinds().initialize(shape, row, at, node);
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            switch (shape.members().get(name)) {
                case null -> unknown(shape, name, json, context);
                case ValueMember value -> value(value.codec().get(), row, at, json, context);
                case GroupMember group -> group(group, row, at, node, json, context);
                case ListMember list -> list(list, row, at, node, json, context);
            }
        }
    }

    private void unknown(Shape shape, String name, JsonParser json, DeserializationContext context) {
        if (!shape.ends().containsKey(name)) {
            context.handleUnknownProperty(json, this, views.type(), name);
            return;
        }
        boolean empty = json.currentToken() == JsonToken.VALUE_NULL
                || (json.currentToken() == JsonToken.START_ARRAY && json.nextToken() == JsonToken.END_ARRAY);
        if (!empty) {
            context.reportInputMismatch(
                    this,
                    "Invalid value of '%s' in '%s': the type contains itself more often than the schema allows.",
                    name,
                    shape.path());
        }
    }

    private void group(
            GroupMember group,
            byte[] row,
            int at,
            @Nullable RowNode node,
            JsonParser json,
            DeserializationContext context) {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            RowCopy.remove(group, row, at, node);
            return;
        }
        RowCopy.clear(group.shape(), row, at, node);
        if (group.presence() != null) {
            ((BooleanCodec) group.presence().get()).put(row, at, true);
        }
        object(group.shape(), row, at, node, json, context);
    }

    private void list(
            ListMember list,
            byte[] row,
            int at,
            @Nullable RowNode node,
            JsonParser json,
            DeserializationContext context) {
        if (json.currentToken() != JsonToken.START_ARRAY) {
            context.reportInputMismatch(this, "Invalid value of '%s'. Use an array.", list.path());
        }
        List<RowNode> nodes =
                list.inRow() ? List.of() : Objects.requireNonNull(node).lists().get(list.listIndex());
        if (!list.inRow()) {
            nodes.clear(); // of initial values
        }
        int count = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (++count > list.count()) {
                context.reportInputMismatch(
                        this, "Invalid number of elements of '%s'. The schema allows %d.", list.path(), list.count());
            }
            RowNode element = list.inRow() ? null : RowNode.blank(list.shape().scope());
            byte[] elementRow = element == null ? row : element.row();
            int elementAt = element == null ? at + list.first() + (count - 1) * list.stride() : 0;
            if (element != null) {
                nodes.add(element);
            }
            if (list.bare()) {
                value(list.bareValue().codec().get(), elementRow, elementAt, json, context);
            } else {
                object(list.shape(), elementRow, elementAt, element, json, context);
            }
        }
    }

    private void value(FieldCodec codec, byte[] row, int at, JsonParser json, DeserializationContext context) {
        try {
            boolean number = codec.field().type() instanceof FieldType.IntegerType
                    || codec.field().type() instanceof FieldType.DecimalType
                    || codec.field().type() instanceof FieldType.FloatType;
            if (number && (json.currentToken().isNumeric() || json.currentToken() == JsonToken.VALUE_STRING)) {
                codec.setText(row, at, json.getString()); // the digits, which a double may not have
            } else {
                codec.setValue(row, at, value(codec.field().type(), json));
            }
        } catch (FieldValueException | IllegalArgumentException | DateTimeException e) {
            context.reportInputMismatch(
                    this, "Invalid value of '%s': %s", codec.field().name(), e.getMessage());
        }
    }

    private static @Nullable Object value(FieldType type, JsonParser json) {
        return switch (json.currentToken()) {
            case VALUE_NULL -> null;
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getNumberValue();
            case VALUE_STRING -> {
                String text = json.getString();
                yield switch (type) {
                    case FieldType.DateType _ -> LocalDate.parse(text);
                    case FieldType.InstantType _ -> TimeFormats.instant(DateTimeFormatter.ISO_INSTANT, text);
                    case FieldType.BytesType _ -> HexFormat.of().parseHex(text);
                    default -> text;
                };
            }
            default ->
                throw new IllegalArgumentException(
                        "Unexpected token '" + json.currentToken() + "'. Use a single value.");
        };
    }
}
