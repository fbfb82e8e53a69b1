package io.millrace.codec.tagged;

import io.millrace.codec.FieldCodec;
import io.millrace.schema.Field;
import io.millrace.schema.FieldType;
import io.millrace.schema.Reading;
import io.millrace.schema.TaggedField;

/** Selects the slots of fields. Stateless. */
final class Slots {

    private Slots() {}

    /** Returns the slot that reads a field. */
    static Slot of(Field field, TaggedField found, FieldCodec codec) {
        ElementPlace place = ElementPlace.of(field, found);
        return switch (found.reading()) {
            case Reading.WholeNumber(var storage) -> NumberSlot.of(place, storage, codec);
            case Reading.Real(int bytes, var order) -> RealSlot.of(place, bytes, order);
            case Reading.Varying _ ->
                field.type() instanceof FieldType.StringType text ? TextSlot.of(place, text) : BytesSlot.of(place);
            case Reading.Exact _ -> BytesSlot.of(place);
            case Reading.Plmn _ -> new PlmnSlot(place);
            case Reading.QuarterHours _ -> new QuarterHoursSlot(place);
            case Reading.Count _ -> new CountSlot(place);
        };
    }
}
