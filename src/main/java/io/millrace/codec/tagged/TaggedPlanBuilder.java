package io.millrace.codec.tagged;

import io.millrace.codec.FieldCodec;
import io.millrace.codec.RecordCodec;
import io.millrace.schema.Container;
import io.millrace.schema.ElementForm;
import io.millrace.schema.Field;
import io.millrace.schema.Schema;
import io.millrace.schema.TaggedField;
import io.millrace.schema.TaggedLayout;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Groups the fields of a row by the elements that contain them. */
final class TaggedPlanBuilder {

    private final Draft draft;
    private final List<Slot> header = new ArrayList<>();
    private final List<Slot> required = new ArrayList<>();
    private final byte[] blank;
    private int entries;

    /**
     * Returns the plan of a schema.
     *
     * @param slots creates the slot of each field
     */
    static Plan of(Schema schema, SlotMaker slots) {
        TaggedLayout layout = (TaggedLayout) schema.layout();
        TaggedPlanBuilder builder = new TaggedPlanBuilder(schema, layout, slots);
        Level outermost = builder.build(builder.draft);
        return new Plan(
                layout.headerLength(),
                outermost,
                List.copyOf(builder.header),
                List.copyOf(builder.required),
                builder.blank,
                builder.entries);
    }

    /** A level under construction. */
    private static final class Draft {
        private final ElementForm form;
        private final @Nullable Container container;
        private final Map<Long, List<Slot>> slots = new TreeMap<>();
        private final Map<Container, Draft> inner = new LinkedHashMap<>();

        Draft(ElementForm form, @Nullable Container container) {
            this.form = form;
            this.container = container;
        }
    }

    /** Creates the slot that reads a field. */
    @FunctionalInterface
    interface SlotMaker {
        Slot make(Field field, TaggedField found, FieldCodec codec);
    }

    private TaggedPlanBuilder(Schema schema, TaggedLayout layout, SlotMaker slots) {
        draft = new Draft(layout.form(), null);
        blank = new byte[schema.foundLength()];
        RecordCodec codec = RecordCodec.of(schema);
        for (Field field : schema.fields()) {
            TaggedField found = layout.find(field.name());
            if (found == null || field.offset() >= schema.foundLength()) {
                continue;
            }
            Slot slot = slots.make(field, found, codec.codec(field.name()));
            place(found, slot);
            if (field.optional()) {
                codec.codec(field.name()).putAbsent(blank, 0);
            } else if (!slot.counts()) {
                required.add(slot);
            }
        }
    }

    private void place(TaggedField found, Slot slot) {
        if (found.tag() == TaggedField.HEADER) {
            header.add(slot);
            return;
        }
        Draft level = draft;
        for (Container container : found.containers()) {
            level = level.inner.computeIfAbsent(container, key -> new Draft(key.form(), key));
        }
        level.slots.computeIfAbsent(found.tag(), _ -> new ArrayList<>()).add(slot);
    }

    private Level build(Draft level) {
        SortedMap<Long, Level.Entry> wanted = new TreeMap<>();
        Map<Long, List<Level>> inner = new TreeMap<>();
        level.inner.forEach((container, draftOfInner) ->
                inner.computeIfAbsent(container.tag(), _ -> new ArrayList<>()).add(build(draftOfInner)));
        List<Long> tags = new ArrayList<>(level.slots.keySet());
        tags.addAll(inner.keySet());
        for (long tag : tags) {
            wanted.computeIfAbsent(
                    tag,
                    key -> new Level.Entry(
                            entries++,
                            List.copyOf(level.slots.getOrDefault(key, List.of())),
                            List.copyOf(inner.getOrDefault(key, List.of()))));
        }
        return Level.of(level.form, level.container, wanted);
    }
}
