package io.millrace.view;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.FieldValueException;
import io.millrace.codec.shape.Part;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.Constraint;
import io.millrace.view.access.BinaryView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the values and conditions of a record that its schema does not allow. Not thread-safe. */
final class Violations {

    private final List<Violation> found = new ArrayList<>();

    private Violations() {}

    /**
     * Returns the violations in a record or a part of one, in the order of the schema, those of conditions last. Parts
     * of records have no conditions.
     */
    static List<Violation> of(BinaryView view) {
        Violations violations = new Violations();
        try {
            ViewKind kind = ViewForm.of(view).kind();
            violations.check(kind.shape(), ViewForm.part(view), "");
            if (kind.isRoot()) {
                violations.found.addAll(kind.views().violatedConditions(view));
            }
        } catch (IllegalArgumentException e) {
            violations.found.add(new Violation("", null, String.valueOf(e.getMessage())));
        }
        return List.copyOf(violations.found);
    }

    private void check(Shape shape, Part part, String prefix) {
        for (Member member : shape.members().values()) {
            String path = prefix + member.name();
            switch (member) {
                case ValueMember value -> check(value, part, path);
                case GroupMember group -> {
                    if (part.has(group)) {
                        check(group.shape(), part, path + ".");
                    }
                }
                case ListMember list -> {
                    List<Part> elements = part.elements(list);
                    for (int i = 0; i < elements.size(); i++) {
                        if (list.bare()) {
                            check(list.bareValue(), elements.get(i), path + "[" + i + "]");
                        } else {
                            check(list.shape(), elements.get(i), path + "[" + i + "].");
                        }
                    }
                }
            }
        }
    }

    private void check(ValueMember member, Part part, String path) {
        Object value;
        try {
            value = part.value(member);
        } catch (FieldValueException e) {
            found.add(new Violation(path, e.value(), e.reason()));
            return;
        } catch (IllegalArgumentException e) {
            found.add(new Violation(path, null, String.valueOf(e.getMessage())));
            return;
        }
        if (value != null) {
            String refusal = refusal(member.codec().get(), value);
            if (refusal != null) {
                found.add(new Violation(path, value, refusal));
            }
        }
    }

    /** Returns why the field refuses to store a value. */
    private static @Nullable String refusal(FieldCodec codec, Object value) {
        if (codec.field().constraint().equals(Constraint.NONE)) {
            return null;
        }
        try {
            codec.setValue(new byte[codec.field().end()], 0, value);
            return null;
        } catch (FieldValueException e) {
            return e.reason();
        }
    }
}
