package io.millrace.view.bytecode;

import io.millrace.view.type.Accessor;
import io.millrace.view.type.ObjectMethods;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a class of views has.
 *
 * @param objectMethods the type of the views, and which of its methods of {@link Object} are replaced
 * @param accessors getters and setters
 * @param root whether the views are of whole records
 * @param ordered whether the views are comparable by a key
 * @param hasState whether views have an index or rows in addition to the array. Others have no field for it
 * @param name what follows the name of the type in that of the class; null if the class is to be unloaded with its last
 *     view
 */
public record ViewOutline(
        ObjectMethods objectMethods,
        List<Accessor> accessors,
        boolean root,
        boolean ordered,
        boolean hasState,
        @Nullable String name) {

    Class<?> type() {
        return objectMethods.type();
    }
}
