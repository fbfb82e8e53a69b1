package io.millrace.view.json;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import io.millrace.codec.shape.Part;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.view.ViewForm;
import io.millrace.view.access.BinaryView;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;

/** Writes views as JSON objects; NaN and infinities, which JSON numbers can't represent, as texts. Stateless. */
final class ViewSerializer extends ValueSerializer<BinaryView> {

    @Override
    public ValueSerializer<?> createContextual(SerializationContext context, @Nullable BeanProperty property) {
        if (property != null
                && (property.getAnnotation(JsonIgnoreProperties.class) != null
                        || property.getAnnotation(JsonIncludeProperties.class) != null)) {
            context.reportBadDefinition(
                    BinaryView.class,
                    "RecordViewModule writes all fields of a view, also those that the property '" + property.getName()
                            + "' leaves out. Put the annotation on the type of the view.");
        }
        return this;
    }

    @Override
    public void serialize(BinaryView view, JsonGenerator json, SerializationContext context) {
        object(ViewForm.of(view).kind().shape(), ViewForm.part(view), json);
    }

    private static void object(Shape shape, Part part, JsonGenerator json) {
        json.writeStartObject();
        for (Member member : shape.members().values()) {
            json.writeName(member.name());
            switch (member) {
                case ValueMember value -> value(part.value(value), json);
                case GroupMember group -> {
                    if (part.has(group)) {
                        object(group.shape(), part, json);
                    } else {
                        json.writeNull();
                    }
                }
                case ListMember list -> {
                    json.writeStartArray();
                    for (Part each : part.elements(list)) {
                        if (list.bare()) {
                            value(each.bare(list), json);
                        } else {
                            object(list.shape(), each, json);
                        }
                    }
                    json.writeEndArray();
                }
            }
        }
        json.writeEndObject();
    }

    private static void value(@Nullable Object value, JsonGenerator json) {
        switch (value) {
            case null -> json.writeNull();
            case Long number -> json.writeNumber(number);
            case Double number when Double.isFinite(number) -> json.writeNumber(number);
            case Float number when Float.isFinite(number) -> json.writeNumber(number);
            case BigDecimal number -> json.writeNumber(number.toPlainString());
            case BigInteger number -> json.writeNumber(number);
            case Boolean truth -> json.writeBoolean(truth);
            case byte[] bytes -> json.writeString(HexFormat.of().formatHex(bytes));
            default -> json.writeString(value.toString());
        }
    }
}
