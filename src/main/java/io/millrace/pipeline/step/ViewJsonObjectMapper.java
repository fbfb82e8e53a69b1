package io.millrace.pipeline.step;

import io.millrace.view.RecordViews;
import java.util.Map;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.integration.mapping.support.JsonHeaders;
import org.springframework.integration.support.json.JacksonJsonObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * Lets Spring Integration convert views of records to JSON and back: the headers {@code json__TypeId__},
 * {@code json__ContentTypeId__} and {@code json__KeyTypeId__} name the type of a view, not its internal class, which
 * other processes do not have. Other objects are converted as by {@link JacksonJsonObjectMapper}.
 *
 * <pre>{@code
 * JsonMapper jackson = JsonMapper.builder().addModule(new RecordViewModule(views)).build();
 * IntegrationFlow flow = f -> f.transform(Transformers.toJson(new ViewJsonObjectMapper(jackson)));
 * }</pre>
 *
 * <p>Thread-safe.
 */
@API(status = API.Status.STABLE)
public final class ViewJsonObjectMapper extends JacksonJsonObjectMapper {

    /** @param mapper a mapper with a {@link io.millrace.view.json.RecordViewModule} of the views to read */
    public ViewJsonObjectMapper(JsonMapper mapper) {
        super(mapper);
    }

    @Override
    public void populateJavaTypes(Map<String, Object> headers, Object payload) {
        super.populateJavaTypes(headers, payload);
        Class<?> type = type(headers, JsonHeaders.TYPE_ID);
        Class<?> contentType = type(headers, JsonHeaders.CONTENT_TYPE_ID);
        Class<?> keyType = type(headers, JsonHeaders.KEY_TYPE_ID);
        if (type != null) {
            headers.put(JsonHeaders.RESOLVABLE_TYPE, JsonHeaders.buildResolvableType(type, contentType, keyType));
        }
    }

    private static @Nullable Class<?> type(Map<String, Object> headers, String header) {
        return (Class<?>) headers.computeIfPresent(header, (_, value) -> RecordViews.typeOf((Class<?>) value));
    }
}
