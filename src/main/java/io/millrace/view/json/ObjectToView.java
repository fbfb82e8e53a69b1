package io.millrace.view.json;

import io.millrace.view.RecordViews;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;

/** Reads JSON to an object as Jackson does, and returns an immutable view of it. Stateless. */
final class ObjectToView<T> extends DelegatingDeserializer {

    private final transient RecordViews<T> views;

    ObjectToView(RecordViews<T> views, ValueDeserializer<?> ofObject) {
        super(ofObject);
        this.views = views;
    }

    @Override
    protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> ofObject) {
        return new ObjectToView<>(views, ofObject);
    }

    @Override
    public @Nullable Object deserialize(JsonParser json, DeserializationContext context) {
        Object object = super.deserialize(json, context);
        try {
            return object == null ? null : views.view(views.type().cast(object));
        } catch (IllegalArgumentException e) {
            return context.reportInputMismatch(this, "%s", e.getMessage());
        }
    }
}
