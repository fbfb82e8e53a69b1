package io.millrace.view;

import io.millrace.codec.shape.RowNode;
import io.millrace.codec.shape.Shape;
import io.millrace.codec.shape.Shape.GroupMember;
import io.millrace.codec.shape.Shape.ListMember;
import io.millrace.codec.shape.Shape.Member;
import io.millrace.codec.shape.Shape.ValueMember;
import io.millrace.schema.Choice;
import io.millrace.view.access.ChoiceForm;
import io.millrace.view.access.PartForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The Java types of a record and of its parts, each created when a getter returns it. Thread-safe. */
public final class ViewKinds {

    private final RecordViews<?> views;
    private final Shape root;
    private final Map<KindKey, ViewKind> kinds = new ConcurrentHashMap<>();
    /** Kinds of new parts by type and path; the path is empty if it was not given. */
    private final Map<KindKey, ViewKind> created = new ConcurrentHashMap<>();

    /** @param root members of the record */
    ViewKinds(RecordViews<?> views, Shape root) {
        this.views = views;
        this.root = root;
    }

    ViewKind kind(Class<?> kindType, Shape part) {
        KindKey key = new KindKey(kindType, part.path());
        ViewKind known = kinds.get(key);
        if (known == null) {
            known = new ViewKind(views, kindType, part, part == root);
            ViewKind first = kinds.putIfAbsent(key, known);
            return first == null ? known : first;
        }
        return known;
    }

    /**
     * Returns the form of a part. If the part has a choice of types, and these are subclasses of the Java type, its
     * objects have the classes of these.
     *
     * @param outer form of what contains the part
     */
    PartForm part(Class<?> partType, Shape part, ViewForm outer) {
        Choice choice = part.choice();
        Map<String, Class<?>> subclasses =
                choice == null ? Map.of() : views.options().subclasses(partType, choice);
        if (choice == null || subclasses.isEmpty()) {
            return kind(partType, part).form(outer);
        }
        List<ChoiceForm.Option> alternatives = new ArrayList<>();
        choice.members().forEach((name, member) -> {
            Class<?> subclass = Objects.requireNonNull(subclasses.get(name));
            GroupMember group =
                    (GroupMember) Objects.requireNonNull(part.members().get(member));
            alternatives.add(new ChoiceForm.Option(group, subclass, part(subclass, part.with(group), outer)));
        });
        PartForm itself = choice.itself() ? kind(partType, part).form(outer) : null;
        return new ChoiceForm(
                partType, alternatives, itself, outer.compact() ? part.scope().compact() : null, outer.mutable());
    }

    /** Returns the types of the record and of its parts that are known. */
    public Stream<ViewKind> all() {
        return kinds.values().stream();
    }

    /**
     * Returns the kind of the record itself, or of a part for which there is a getter. If there are several such parts,
     * it is one that holds the values of all others: of a type that contains itself, one with the most levels.
     *
     * @throws IllegalArgumentException if there is no such part, or if each holds values that another does not hold
     */
    ViewKind of(Class<?> part) {
        return created.computeIfAbsent(new KindKey(part, ""), _ -> found(part));
    }

    private ViewKind found(Class<?> part) {
        List<Shape> places = places(part);
        return places.stream()
                .filter(place -> places.stream().allMatch(place::holds))
                .findFirst()
                .map(place -> kind(part, place))
                .orElseThrow(() -> new IllegalArgumentException(
                        places.isEmpty()
                                ? unknown(part) + ". Use the type of a group or of the elements of a list."
                                : "Ambiguous part " + part.getName() + " of "
                                        + views.type().getName() + ": " + paths(places)
                                        + " hold different values. Use the path of one of them."));
    }

    /**
     * Returns the kind of a part for which there is a getter.
     *
     * @param path path of the part in the schema, such as {@code legs[].payments[]}
     * @throws IllegalArgumentException if there is no such part
     */
    ViewKind at(Class<?> part, String path) {
        return path.isEmpty()
                ? found(part, path)
                : created.computeIfAbsent(new KindKey(part, path), _ -> found(part, path));
    }

    private ViewKind found(Class<?> part, String path) {
        List<Shape> places = places(part);
        return places.stream()
                .filter(place -> place.typePath().equals(path))
                .findFirst()
                .map(place -> kind(part, place))
                .orElseThrow(() -> new IllegalArgumentException(unknown(part) + " with the path '" + path + "'."
                        + (places.isEmpty() ? "" : " Use one of: " + paths(places) + ".")));
    }

    private String unknown(Class<?> part) {
        return "Unknown part " + part.getName() + " of " + views.type().getName();
    }

    private static List<String> paths(List<Shape> places) {
        return places.stream().map(Shape::typePath).toList();
    }

    /** Returns the record, or the parts for which there is a getter that returns a type, in the order of the schema. */
    private List<Shape> places(Class<?> part) {
        if (part == views.type()) {
            return List.of(root);
        }
        List<Shape> places = new ArrayList<>();
        addPlaces(part, root, places);
        return places;
    }

    private void addPlaces(Class<?> part, Shape within, List<Shape> places) {
        for (Member member : within.members().values()) {
            Shape inner = inner(member);
            if (inner != null) {
                if (kinds.containsKey(new KindKey(part, inner.path()))) {
                    places.add(inner);
                }
                addPlaces(part, inner, places);
            }
        }
    }

    private static @Nullable Shape inner(Member member) {
        return switch (member) {
            case GroupMember group -> group.shape();
            case ListMember list -> list.shape();
            case ValueMember _ -> null;
        };
    }

    /** Returns the kind of the record itself, or of a part of it. */
    ViewKind of(Class<?> part, String path) {
        Shape found = path.isEmpty() ? root : find(path, root);
        if (found == null) {
            throw new IllegalArgumentException(
                    "Unknown part '" + path + "' of " + views.type().getName() + ".");
        }
        return kind(part, found);
    }

    private static @Nullable Shape find(String path, Shape within) {
        for (Member member : within.members().values()) {
            Shape inner = inner(member);
            if (inner != null) {
                Shape found = inner.path().equals(path) ? inner : find(path, inner);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /**
     * Sets the values that the constructors of types set, in the new row of a part. If the part has a choice of types,
     * its own members have the values that the first of these sets.
     */
    public void initialize(Shape part, byte[] bytes, int at, @Nullable RowNode node) {
        List<String> paths = new ArrayList<>(List.of(part.path()));
        Choice choice = part.choice();
        if (choice != null) {
            choice.members().values().forEach(member -> paths.add(part.path() + "." + member));
        }
        paths.stream()
                .map(path -> kinds.values().stream()
                        .filter(kind -> kind.shape().path().equals(path))
                        .toList())
                .filter(found -> !found.isEmpty())
                .findFirst()
                .ifPresent(found -> found.forEach(kind -> kind.initialize(part, bytes, at, node)));
    }
}
