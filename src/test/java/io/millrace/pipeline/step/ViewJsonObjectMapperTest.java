package io.millrace.pipeline.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.FrameworkSupport;
import io.millrace.view.RecordViews;
import io.millrace.view.json.RecordViewModule;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.integration.json.JsonToObjectTransformer;
import org.springframework.integration.json.ObjectToJsonTransformer;
import org.springframework.integration.mapping.support.JsonHeaders;
import org.springframework.integration.support.json.JacksonJsonObjectMapper;
import org.springframework.integration.transformer.MessageTransformationException;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.GenericMessage;
import tools.jackson.databind.json.JsonMapper;

/** Views as payloads that Spring Integration converts to JSON and back. */
class ViewJsonObjectMapperTest {

    /** A quote. */
    public interface Quote {
        long getId();

        void setId(long id);
    }

    private static final Schema SCHEMA = SchemaReader.read("quote.yml", """
            schema: quote
            fields:
              - { name: id, type: i64 }
            """.getBytes(StandardCharsets.UTF_8));

    private static final RecordViews<Quote> VIEWS = RecordViews.of(Quote.class, SCHEMA);

    private static final ViewJsonObjectMapper MAPPER = new ViewJsonObjectMapper(
            JsonMapper.builder().addModule(new RecordViewModule(VIEWS)).build());

    private static Quote quote(long id) {
        Quote quote = VIEWS.create();
        quote.setId(id);
        return VIEWS.view(quote);
    }

    @Test
    @FrameworkSupport(
            tool = "Spring Integration: `ObjectToJsonTransformer`, `JsonToObjectTransformer`",
            works = "with a `ViewJsonObjectMapper`, whose headers name the type of the views",
            otherwise = "With another mapper, the headers name an internal class: reading fails, or in a process"
                    + " without these views returns a map")
    void shouldConvertViewsToJsonAndBack() {
        Message<?> json = new ObjectToJsonTransformer(MAPPER).transform(new GenericMessage<>(quote(7)));
        assertThat(json.getPayload()).isEqualTo("{\"id\":7}");
        assertThat(json.getHeaders()).containsEntry(JsonHeaders.TYPE_ID, Quote.class);
        assertThat(new JsonToObjectTransformer(MAPPER).transform(json).getPayload())
                .isEqualTo(quote(7));
        assertThat(new JsonToObjectTransformer(MAPPER).transform(remote(json)).getPayload())
                .isEqualTo(quote(7));

        Message<?> internal = new ObjectToJsonTransformer(new JacksonJsonObjectMapper(MAPPER.getObjectMapper()))
                .transform(new GenericMessage<>(quote(7)));
        assertThatExceptionOfType(MessageTransformationException.class)
                .isThrownBy(() -> new JsonToObjectTransformer(MAPPER).transform(internal));
        assertThatExceptionOfType(MessageTransformationException.class)
                .isThrownBy(() -> new JsonToObjectTransformer(MAPPER).transform(remote(internal)));
        assertThat(new JsonToObjectTransformer(MAPPER)
                        .transform(remote(internal, "unknown"))
                        .getPayload())
                .isEqualTo(Map.of("id", 7));
    }

    @Test
    void shouldConvertListsOfViews() {
        Message<?> json =
                new ObjectToJsonTransformer(MAPPER).transform(new GenericMessage<>(List.of(quote(7), quote(8))));
        assertThat(json.getHeaders()).containsEntry(JsonHeaders.CONTENT_TYPE_ID, Quote.class);
        assertThat(new JsonToObjectTransformer(MAPPER).transform(json).getPayload())
                .isEqualTo(List.of(quote(7), quote(8)));
        Message<?> other = new ObjectToJsonTransformer(MAPPER).transform(new GenericMessage<>(List.of("text")));
        assertThat(other.getHeaders()).containsEntry(JsonHeaders.CONTENT_TYPE_ID, String.class);
    }

    /** Returns a message as another process gets it: classes by name. */
    private static Message<?> remote(Message<?> message) {
        return remote(message, "");
    }

    /** @param suffix follows the name of a class, so that there is no such class, as in a process without the views */
    private static Message<?> remote(Message<?> message, String suffix) {
        Map<String, Object> headers = new HashMap<>(message.getHeaders());
        headers.remove(JsonHeaders.RESOLVABLE_TYPE);
        headers.computeIfPresent(JsonHeaders.TYPE_ID, (_, type) -> ((Class<?>) type).getName() + suffix);
        return new GenericMessage<>(message.getPayload(), headers);
    }
}
