package io.millrace.codec.view;

import org.apiguardian.api.API;
import tools.jackson.databind.module.SimpleModule;

/**
 * A module of Jackson 3 that writes views as JSON and reads JSON to views, without objects in between. Members have the
 * names of the fields. Dates and instants are texts in ISO 8601, bytes are hexadecimal, absent values are null.
 *
 * <p>All fields of a record are written, also those without a getter. Unknown members of JSON are handled as Jackson is
 * configured. A value that the field can't hold is an error that names the place in the JSON text.
 */
@API(status = API.Status.STABLE)
public final class RecordViewModule extends SimpleModule {

    private static final long serialVersionUID = 1;

    /** @param views the types to read; views of all types are written */
    public RecordViewModule(RecordViews<?>... views) {
        super("millrace-views");
        addSerializer(BinaryView.class, new ViewSerializer());
        for (RecordViews<?> each : views) {
            add(each);
        }
    }

    private <T> void add(RecordViews<T> views) {
        addDeserializer(views.type(), new ViewDeserializer<>(views));
    }
}
