package io.millrace.view.json;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.millrace.view.RecordViews;
import io.millrace.view.ViewForm;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.deser.Deserializers;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.Serializers;

/**
 * A module of Jackson 3 that writes views as JSON and reads JSON to views, without objects in between. Members have the
 * names of the fields. Dates and instants are texts in ISO 8601, bytes are hexadecimal, absent values are null.
 *
 * <p>All fields of a record are written, also those without a getter. Unknown members of JSON are handled as Jackson is
 * configured. A value that the field can't hold is an error that names the place in the JSON text.
 *
 * <p>If Jackson has settings for the types of a record, it writes their views by the getters, as without this module: a
 * naming strategy, a default inclusion, mixins, or annotations other than {@code @JsonProperty} with the name of a
 * field. To read, it creates an object of the class, and the module a view of the object. Reading to an interface is an
 * error then. Settings that let Jackson use fields, and overrides of a class, are errors.
 */
@API(status = API.Status.STABLE)
public final class RecordViewModule extends SimpleModule {

    private static final long serialVersionUID = 1;

    private final transient Map<Class<?>, RecordViews<?>> byType = new HashMap<>();

    /** @param views the types to read; views of all types are written */
    public RecordViewModule(RecordViews<?>... views) {
        super("millrace-views");
        for (RecordViews<?> each : views) {
            byType.put(each.type(), each);
        }
    }

    @Override
    public void setupModule(SetupContext context) {
        super.setupModule(context);
        context.addSerializers(new Writers());
        context.addDeserializers(new Readers());
        context.addDeserializerModifier(new Converters());
    }

    private static final class Writers implements Serializers {

        @Override
        public @Nullable ValueSerializer<?> findSerializer(
                SerializationConfig config,
                JavaType type,
                BeanDescription.Supplier description,
                JsonFormat.@Nullable Value format) {
            ViewForm form = ViewForm.ofClass(type.getRawClass());
            return form == null || JsonSettings.apply(config, form.kind().views()) ? null : new ViewSerializer();
        }
    }

    private final class Readers extends Deserializers.Base {

        @Override
        public @Nullable ValueDeserializer<?> findBeanDeserializer(
                JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
            RecordViews<?> views = byType.get(type.getRawClass());
            if (views == null) {
                return null;
            }
            boolean settings = JsonSettings.apply(config, views);
            return settings && !isAbstract(views) ? null : new ViewDeserializer<>(views, settings);
        }

        @Override
        public boolean hasDeserializerFor(DeserializationConfig config, Class<?> valueType) {
            return byType.containsKey(valueType);
        }
    }

    private static boolean isAbstract(RecordViews<?> views) {
        return Modifier.isAbstract(views.type().getModifiers());
    }

    private final class Converters extends ValueDeserializerModifier {

        private static final long serialVersionUID = 1;

        @Override
        public ValueDeserializer<?> modifyDeserializer(
                DeserializationConfig config, BeanDescription.Supplier description, ValueDeserializer<?> reader) {
            RecordViews<?> views = byType.get(description.getBeanClass());
            return views == null || reader instanceof ViewDeserializer ? reader : new ObjectToView<>(views, reader);
        }
    }
}
