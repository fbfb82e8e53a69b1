package io.millrace.codec.view;

import io.millrace.codec.compact.CompactScope;
import java.lang.invoke.VarHandle;
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
public final class ViewForm extends RecordForm implements PartForm {

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
    static @Nullable ViewForm ofClass(Class<?> viewClass) {
        return OF_CLASS.get(viewClass).get();
    }

    /** Returns an object of the class that the application has. */
    BinaryView create(byte[] bytes, int at, @Nullable Object state) {
        return Objects.requireNonNull(factory).create(this, bytes, at, state);
    }

    ViewKind kind() {
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

    /** Returns the offset of a member of a compact view, or 0 if it is missing. */
    static int entry(BinaryView view, CompactScope scope, int slot) {
        return scope.small()
                ? scope.find(view.millraceBytes(), view.millraceAt(), slot)
                : scope.offset(index(view, scope), slot);
    }

    /** Returns the index of a compact view, which the first getter creates. */
    static byte[] index(BinaryView view, CompactScope scope) {
        byte[] index = (byte[]) view.millraceState();
        if (index == null) {
            index = scope.index(view.millraceBytes(), view.millraceAt());
            // Threads that see the index also see its content, as with a final field.
            VarHandle.releaseFence();
            view.millraceState(index);
        }
        return index;
    }

    /** Implements {@link Object#equals} for views. */
    public static boolean equal(BinaryView view, @Nullable Object other) {
        if (!(other instanceof BinaryView that)) {
            return false;
        }
        ViewKind kind = view.millraceForm().kind();
        ViewKind otherKind = that.millraceForm().kind();
        if (!kind.sameValues(otherKind)) {
            return false;
        }
        return kind.isRoot()
                ? Arrays.equals(kind.views().content(view), otherKind.views().content(that))
                : Part.content(kind.shape(), Part.of(view)).equals(Part.content(otherKind.shape(), Part.of(that)));
    }

    /** Implements {@link Object#hashCode} for views. */
    public static int hash(BinaryView view) {
        ViewKind kind = view.millraceForm().kind();
        return kind.isRoot()
                ? Arrays.hashCode(kind.views().content(view))
                : Part.content(kind.shape(), Part.of(view)).hashCode();
    }

    /** Implements {@link Object#toString} for views: the name of the type and all values that it has getters for. */
    public static String text(BinaryView view) {
        return ViewText.of(view);
    }

    /** Implements {@code compareTo} for views with a key. */
    public static int compare(BinaryView view, Object other) {
        return view.millraceForm().kind().views().order().compare(view, (BinaryView) other);
    }

    /** Returns the values that the schema does not allow. */
    public static List<Violation> validate(BinaryView view) {
        return Violations.of(view);
    }

    /** Returns whether the schema allows all values. */
    public static boolean isValid(BinaryView view) {
        return Violations.of(view).isEmpty();
    }

    /** Returns a copy of the record's bytes. */
    public static byte[] copy(BinaryView view) {
        return view.millraceForm().kind().views().content(view).clone();
    }

    /** Implements {@code clone} for views: a copy that shares nothing that can change. */
    public static Object cloned(BinaryView view) {
        ViewForm form = view.millraceForm();
        return form.mutable()
                ? form.kind().copy(view)
                : form.bare(view.millraceBytes(), view.millraceAt(), view.millraceState());
    }

    /** Returns the serialized form. */
    public static Object serialized(BinaryView view) {
        return SerializedView.of(view);
    }
}
