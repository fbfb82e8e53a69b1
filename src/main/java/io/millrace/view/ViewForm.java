package io.millrace.view;

import io.millrace.codec.compact.CompactScope;
import io.millrace.codec.shape.Part;
import io.millrace.codec.shape.RowNode;
import io.millrace.view.access.Access;
import io.millrace.view.access.BinaryForm;
import io.millrace.view.access.BinaryView;
import io.millrace.view.access.CompactIndex;
import io.millrace.view.access.PartForm;
import io.millrace.view.type.Accessor;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One way in which the views of a type read their bytes: immutable rows, mutable rows, or compact bytes. The class of
 * the views is generated for the form, unless the application has one. Thread-safe.
 */
public final class ViewForm extends RecordForm implements BinaryForm, PartForm {

    private static final ClassValue<AtomicReference<@Nullable ViewForm>> OF_CLASS = new ClassValue<>() {
        @Override
        protected AtomicReference<@Nullable ViewForm> computeValue(Class<?> viewClass) {
            return new AtomicReference<>();
        }
    };

    private final ViewKind kind;
    private final boolean mutable;
    private final boolean compact;
    private final @Nullable RecordFactory factory;
    private final Map<Accessor, Access> accesses = new ConcurrentHashMap<>();
    private @Nullable BinaryView prototype;

    ViewForm(ViewKind kind, boolean mutable, boolean compact) {
        this.kind = kind;
        this.mutable = mutable;
        this.compact = compact;
        this.factory = kind.views().factory(kind);
    }

    /** Generates the class, if there is none. Called once, after the form is known to its kind. */
    void define(Function<ViewForm, BinaryView> generator) {
        prototype = factory == null ? generator.apply(this) : create(new byte[0], 0, null);
        if (!kind.isRecord()) {
            OF_CLASS.get(prototype.getClass()).set(this);
        }
    }

    /** Returns the form that was defined last for a class of views, or null for other classes. */
    public static @Nullable ViewForm ofClass(Class<?> viewClass) {
        return OF_CLASS.get(viewClass).get();
    }

    /** Returns an object of the class that the application has. */
    BinaryView create(byte[] bytes, int at, @Nullable Object state) {
        return Objects.requireNonNull(factory).create(this, bytes, at, state);
    }

    public ViewKind kind() {
        return kind;
    }

    @Override
    public boolean mutable() {
        return mutable;
    }

    @Override
    public void assign(Object value, byte[] bytes, int at, @Nullable RowNode node) {
        kind.assign(value, bytes, at, node);
    }

    @Override
    public @Nullable RowNode row(BinaryView view) {
        return view.millraceForm() == this && view.millraceState() instanceof RowNode own ? own : null;
    }

    boolean compact() {
        return compact;
    }

    /** Returns what finds members in compact bytes, or null for rows. */
    @Nullable
    CompactScope scope() {
        return compact ? kind.shape().scope().compact() : null;
    }

    /** Returns what an accessor does in this form. */
    Access access(Accessor accessor) {
        Access known = accesses.get(accessor);
        if (known == null) {
            known = kind.access(accessor, this);
            accesses.put(accessor, known);
        }
        return known;
    }

    /** Returns a view, or the record of a class of Java records. */
    @Override
    public Object view(byte[] bytes, int at, @Nullable Object state) {
        BinaryView view = bare(bytes, at, state);
        return kind.isRecord() ? kind.record(view) : view;
    }

    /** Returns a view, also of a class of Java records. */
    BinaryView bare(byte[] bytes, int at, @Nullable Object state) {
        return Objects.requireNonNull(prototype).millraceNew(bytes, at, state);
    }

    /** Returns the view that creates those of this form, or null if the type is a class of Java records. */
    @Override
    public @Nullable BinaryView prototype() {
        return kind.isRecord() ? null : Objects.requireNonNull(prototype);
    }

    /** Returns the form of a view. */
    public static ViewForm of(BinaryView view) {
        return (ViewForm) view.millraceForm();
    }

    /** Returns what a view reads. */
    public static Part part(BinaryView view) {
        CompactScope scope = of(view).scope();
        return scope == null
                ? new Part.Row(view.millraceBytes(), view.millraceAt(), (RowNode) view.millraceState())
                : new Part.Compact(scope, view.millraceBytes(), view.millraceAt(), CompactIndex.of(view, scope));
    }

    @Override
    public boolean equal(BinaryView view, @Nullable Object other) {
        if (!(other instanceof BinaryView that)) {
            return false;
        }
        ViewKind otherKind = of(that).kind();
        if (!kind.sameValues(otherKind)) {
            return false;
        }
        return kind.isRoot()
                ? Arrays.equals(content(view), otherKind.views().content(that))
                : Part.content(kind.shape(), part(view)).equals(Part.content(otherKind.shape(), part(that)));
    }

    @Override
    public int hash(BinaryView view) {
        return kind.isRoot()
                ? Arrays.hashCode(content(view))
                : Part.content(kind.shape(), part(view)).hashCode();
    }

    @Override
    public String text(BinaryView view) {
        return ViewText.of(view);
    }

    @Override
    public int compare(BinaryView view, Object other) {
        if (!kind.isRoot() || !kind.views().hasKey()) {
            throw new UnsupportedOperationException("Views of " + kind.type().getName() + " have no order. "
                    + (kind.isRoot()
                            ? "Use key(...) of the builder of RecordViews, or implement compareTo as a default method."
                            : "Implement compareTo as a default method."));
        }
        return kind.views().order().compare(view, (BinaryView) other);
    }

    @Override
    public List<Violation> validate(BinaryView view) {
        return Violations.of(view);
    }

    @Override
    public boolean isValid(BinaryView view) {
        return Violations.of(view).isEmpty();
    }

    @Override
    public byte[] content(BinaryView view) {
        return kind.views().content(view);
    }

    @Override
    public byte[] copy(BinaryView view) {
        return content(view).clone();
    }

    @Override
    public Object cloned(BinaryView view) {
        return mutable ? kind.copy(view) : bare(view.millraceBytes(), view.millraceAt(), view.millraceState());
    }

    @Override
    public Object serialized(BinaryView view) {
        return SerializedView.of(view);
    }

    @Override
    public UnsupportedOperationException immutable() {
        return new UnsupportedOperationException("The view of " + kind.type().getName()
                + " is immutable. Use edit() of its RecordViews to get a mutable copy.");
    }
}
