package io.millrace.extension;

import java.lang.reflect.Type;
import org.apiguardian.api.API;

/**
 * A kind of feed, step or output that a configuration can name.
 *
 * @param <P> type of the properties
 */
@API(status = API.Status.STABLE)
public interface Extension<P> {

    /**
     * Returns the name by which a configuration uses this kind, such as {@code tcp} in {@code feed: { tcp: … }}: lower
     * case, hyphens.
     */
    String name();

    /**
     * Returns the type {@code P} that properties are bound to, as Spring Boot binds {@code @ConfigurationProperties}: a
     * record, or the type of the value if the kind has no named properties, such as a text. Unknown properties and
     * values of other types are reported without the extension.
     */
    Type propertiesType();
}
