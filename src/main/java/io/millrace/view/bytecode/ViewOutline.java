package io.millrace.view.bytecode;

import io.millrace.view.type.Accessor;
import io.millrace.view.type.ObjectMethods;
import java.util.List;

/**
 * What a class of views has.
 *
 * @param objectMethods the type of the views, and which of its methods of {@link Object} are replaced
 * @param accessors getters and setters
 * @param root whether the views are of whole records
 * @param ordered whether the views are comparable by a key
 * @param hasState whether views have an index or rows in addition to the array. Others have no field for it
 */
public record ViewOutline(
        ObjectMethods objectMethods, List<Accessor> accessors, boolean root, boolean ordered, boolean hasState) {

    Class<?> type() {
        return objectMethods.type();
    }
}
