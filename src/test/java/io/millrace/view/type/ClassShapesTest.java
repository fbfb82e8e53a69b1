package io.millrace.view.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.millrace.codec.FieldValueException;
import io.millrace.model.ModelException;
import io.millrace.model.ModelWriter;
import io.millrace.model.classfile.ClassImport;
import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import io.millrace.view.SameContent;
import io.millrace.view.type.ClassShapes.AbstractMethods;
import io.millrace.view.type.ClassShapes.AddressMember;
import io.millrace.view.type.ClassShapes.Alias;
import io.millrace.view.type.ClassShapes.AmountIn;
import io.millrace.view.type.ClassShapes.Bond;
import io.millrace.view.type.ClassShapes.Bridged;
import io.millrace.view.type.ClassShapes.Built;
import io.millrace.view.type.ClassShapes.ByGetter;
import io.millrace.view.type.ClassShapes.ByGetters;
import io.millrace.view.type.ClassShapes.ByReflection;
import io.millrace.view.type.ClassShapes.Bytes;
import io.millrace.view.type.ClassShapes.CalendarMember;
import io.millrace.view.type.ClassShapes.CharSequenceMember;
import io.millrace.view.type.ClassShapes.Checked;
import io.millrace.view.type.ClassShapes.Circle;
import io.millrace.view.type.ClassShapes.ClassOfPart;
import io.millrace.view.type.ClassShapes.CloneWithAnId;
import io.millrace.view.type.ClassShapes.Code;
import io.millrace.view.type.ClassShapes.CodedMember;
import io.millrace.view.type.ClassShapes.ComparableMember;
import io.millrace.view.type.ClassShapes.Compared;
import io.millrace.view.type.ClassShapes.ConstrainedField;
import io.millrace.view.type.ClassShapes.ConstructorCalls;
import io.millrace.view.type.ClassShapes.ConstructorReads;
import io.millrace.view.type.ClassShapes.CopyingGetter;
import io.millrace.view.type.ClassShapes.Counting;
import io.millrace.view.type.ClassShapes.CountingByHandle;
import io.millrace.view.type.ClassShapes.Covariant;
import io.millrace.view.type.ClassShapes.CreatedList;
import io.millrace.view.type.ClassShapes.DateMember;
import io.millrace.view.type.ClassShapes.Decimals;
import io.millrace.view.type.ClassShapes.DefaultBehind;
import io.millrace.view.type.ClassShapes.DefaultGetter;
import io.millrace.view.type.ClassShapes.DefaultKept;
import io.millrace.view.type.ClassShapes.DefaultMethod;
import io.millrace.view.type.ClassShapes.DefaultNow;
import io.millrace.view.type.ClassShapes.DefaultReplaced;
import io.millrace.view.type.ClassShapes.Defaulted;
import io.millrace.view.type.ClassShapes.DelegatingSetter;
import io.millrace.view.type.ClassShapes.DequeMember;
import io.millrace.view.type.ClassShapes.Diamond;
import io.millrace.view.type.ClassShapes.DiamondObject;
import io.millrace.view.type.ClassShapes.Direction;
import io.millrace.view.type.ClassShapes.Document;
import io.millrace.view.type.ClassShapes.DocumentObject;
import io.millrace.view.type.ClassShapes.DocumentPart;
import io.millrace.view.type.ClassShapes.DocumentPartObject;
import io.millrace.view.type.ClassShapes.Draining;
import io.millrace.view.type.ClassShapes.Drawing;
import io.millrace.view.type.ClassShapes.Enums;
import io.millrace.view.type.ClassShapes.EqualsByAll;
import io.millrace.view.type.ClassShapes.EqualsByClass;
import io.millrace.view.type.ClassShapes.EqualsByClassLiteral;
import io.millrace.view.type.ClassShapes.EqualsById;
import io.millrace.view.type.ClassShapes.EqualsByIdentity;
import io.millrace.view.type.ClassShapes.EqualsByMore;
import io.millrace.view.type.ClassShapes.EqualsByReflection;
import io.millrace.view.type.ClassShapes.Extended;
import io.millrace.view.type.ClassShapes.External;
import io.millrace.view.type.ClassShapes.FinalClass;
import io.millrace.view.type.ClassShapes.FinalEquals;
import io.millrace.view.type.ClassShapes.FinalField;
import io.millrace.view.type.ClassShapes.FinalGetter;
import io.millrace.view.type.ClassShapes.FinalWriteReplace;
import io.millrace.view.type.ClassShapes.Fluent;
import io.millrace.view.type.ClassShapes.GenericBase;
import io.millrace.view.type.ClassShapes.GenericElements;
import io.millrace.view.type.ClassShapes.GenericGroup;
import io.millrace.view.type.ClassShapes.GenericRecord;
import io.millrace.view.type.ClassShapes.GenericRecordGroup;
import io.millrace.view.type.ClassShapes.GenericTwice;
import io.millrace.view.type.ClassShapes.Growing;
import io.millrace.view.type.ClassShapes.GrowingPart;
import io.millrace.view.type.ClassShapes.Halved;
import io.millrace.view.type.ClassShapes.Hidden;
import io.millrace.view.type.ClassShapes.Identified;
import io.millrace.view.type.ClassShapes.IgnoresNull;
import io.millrace.view.type.ClassShapes.InheritsHiddenPart;
import io.millrace.view.type.ClassShapes.Inner;
import io.millrace.view.type.ClassShapes.Instrument;
import io.millrace.view.type.ClassShapes.Instruments;
import io.millrace.view.type.ClassShapes.Iterables;
import io.millrace.view.type.ClassShapes.KeepsOnNull;
import io.millrace.view.type.ClassShapes.Large;
import io.millrace.view.type.ClassShapes.LazyCache;
import io.millrace.view.type.ClassShapes.ListOfOptionals;
import io.millrace.view.type.ClassShapes.MapMember;
import io.millrace.view.type.ClassShapes.Names;
import io.millrace.view.type.ClassShapes.NarrowGetter;
import io.millrace.view.type.ClassShapes.NarrowObject;
import io.millrace.view.type.ClassShapes.Narrowed;
import io.millrace.view.type.ClassShapes.NativeGetter;
import io.millrace.view.type.ClassShapes.Nested;
import io.millrace.view.type.ClassShapes.NumberMember;
import io.millrace.view.type.ClassShapes.ObjectMember;
import io.millrace.view.type.ClassShapes.OfAnotherPackage;
import io.millrace.view.type.ClassShapes.Open;
import io.millrace.view.type.ClassShapes.OptionalGroup;
import io.millrace.view.type.ClassShapes.OptionalList;
import io.millrace.view.type.ClassShapes.OrNull;
import io.millrace.view.type.ClassShapes.Ordered;
import io.millrace.view.type.ClassShapes.OrderedObject;
import io.millrace.view.type.ClassShapes.OtherResults;
import io.millrace.view.type.ClassShapes.OtherResultsObject;
import io.millrace.view.type.ClassShapes.OverloadedSetter;
import io.millrace.view.type.ClassShapes.Overridden;
import io.millrace.view.type.ClassShapes.OverriddenCopy;
import io.millrace.view.type.ClassShapes.OwnClass;
import io.millrace.view.type.ClassShapes.ProtectedGetter;
import io.millrace.view.type.ClassShapes.ProtectedSetter;
import io.millrace.view.type.ClassShapes.PublicField;
import io.millrace.view.type.ClassShapes.PublicFieldAndGetter;
import io.millrace.view.type.ClassShapes.RawList;
import io.millrace.view.type.ClassShapes.ReadOnlyList;
import io.millrace.view.type.ClassShapes.ReadResolve;
import io.millrace.view.type.ClassShapes.Reals;
import io.millrace.view.type.ClassShapes.RecordInClass;
import io.millrace.view.type.ClassShapes.ReflectionText;
import io.millrace.view.type.ClassShapes.RefusedPart;
import io.millrace.view.type.ClassShapes.Required;
import io.millrace.view.type.ClassShapes.ReturnsTheOld;
import io.millrace.view.type.ClassShapes.SealedEnd;
import io.millrace.view.type.ClassShapes.SealedPart;
import io.millrace.view.type.ClassShapes.SerialFields;
import io.millrace.view.type.ClassShapes.SerializableEnd;
import io.millrace.view.type.ClassShapes.SerializableMember;
import io.millrace.view.type.ClassShapes.SetAsCollection;
import io.millrace.view.type.ClassShapes.SetOnce;
import io.millrace.view.type.ClassShapes.Sets;
import io.millrace.view.type.ClassShapes.SetsNull;
import io.millrace.view.type.ClassShapes.ShownByReflection;
import io.millrace.view.type.ClassShapes.StaticCounter;
import io.millrace.view.type.ClassShapes.StreamMember;
import io.millrace.view.type.ClassShapes.SuperCall;
import io.millrace.view.type.ClassShapes.SuperOfMethod;
import io.millrace.view.type.ClassShapes.SuperReference;
import io.millrace.view.type.ClassShapes.Synchronized;
import io.millrace.view.type.ClassShapes.Tagged;
import io.millrace.view.type.ClassShapes.TextBuilder;
import io.millrace.view.type.ClassShapes.TextOfObject;
import io.millrace.view.type.ClassShapes.Texts;
import io.millrace.view.type.ClassShapes.Throwing;
import io.millrace.view.type.ClassShapes.Times;
import io.millrace.view.type.ClassShapes.TitleKept;
import io.millrace.view.type.ClassShapes.TitleReplaced;
import io.millrace.view.type.ClassShapes.Titled;
import io.millrace.view.type.ClassShapes.ToStringOfFields;
import io.millrace.view.type.ClassShapes.TransientField;
import io.millrace.view.type.ClassShapes.Tree;
import io.millrace.view.type.ClassShapes.TwoBooleans;
import io.millrace.view.type.ClassShapes.TwoParts;
import io.millrace.view.type.ClassShapes.UpperCase;
import io.millrace.view.type.ClassShapes.UpperCaseTitle;
import io.millrace.view.type.ClassShapes.ValidBean;
import io.millrace.view.type.ClassShapes.Validated;
import io.millrace.view.type.ClassShapes.ValidatedObject;
import io.millrace.view.type.ClassShapes.Varargs;
import io.millrace.view.type.ClassShapes.VoidValidate;
import io.millrace.view.type.ClassShapes.VoidValidateObject;
import io.millrace.view.type.ClassShapes.Wildcards;
import io.millrace.view.type.ClassShapes.WithFactory;
import io.millrace.view.type.ClassShapes.Withers;
import io.millrace.view.type.ClassShapes.Words;
import io.millrace.view.type.ClassShapes.WriteObject;
import io.millrace.view.type.ClassShapes.WriteReplace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Date;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Classes of many shapes: the import and views refuse each with a reason, or views are the same as the object except
 * for what a note of the import says.
 */
@SuppressWarnings("NullAway") // as applications have them
class ClassShapesTest {

    /**
     * A class and an object.
     *
     * @param atImport {@link #IMPORTED}, or a part of the reason why the import refuses the class, or of a note
     * @param atRunTime {@link #SAME}, or a part of the reason why views of the class or of the object are refused, or
     *     of the difference; empty if the import has no schema
     * @param allowed names with which the import accepts the class
     */
    record Shape<T>(Class<T> type, T object, String atImport, String atRunTime, Set<String> allowed) {
        @Override
        public String toString() {
            return object.getClass().getSimpleName() + ", " + atImport + ", " + atRunTime;
        }
    }

    @SuppressWarnings({"EffectivelyPrivate", "UnusedMethod"}) // its getter is read by the import
    private static class PrivateClass {
        private long id;

        public long getId() {
            return id;
        }
    }

    private static final String IMPORTED = "imported";
    private static final String SAME = "same";
    private static final String REFUSED = "refused: ";
    private static final String NOTED = "noted: ";
    private static final String DIFFERENT = "different: ";
    private static final String NULL_LISTS = "Views return an empty list or array for null";

    /** What a view never returns null for. The setters of the other classes here refuse null. */
    private static final Set<Class<?>> NEVER_NULL = Set.of(List.class, Optional.class, byte[].class);

    private static <T> Shape<T> same(Class<T> type, T object) {
        return new Shape<>(type, object, IMPORTED, SAME, Set.of());
    }

    /** The class has no {@code equals}. */
    private static <T> Shape<T> byIdentity(Class<T> type, T object) {
        return different(type, object, "equal only to themselves: " + type.getName(), "[equals]");
    }

    /** The class has lists that can be null. */
    private static <T> Shape<T> withLists(Class<T> type, T object) {
        return sameAsNoted(type, object, NULL_LISTS);
    }

    private static <T> Shape<T> sameAsNoted(Class<T> type, T object, String note) {
        return new Shape<>(type, object, NOTED + note, SAME, Set.of());
    }

    private static <T> Shape<T> different(Class<T> type, T object, String note, String difference) {
        return new Shape<>(type, object, NOTED + note, DIFFERENT + difference, Set.of());
    }

    /** Import and run time refuse the class for the same reason. */
    private static <T> Shape<T> refused(Class<T> type, T object, String reason, String... allowed) {
        return new Shape<>(type, object, REFUSED + reason, REFUSED + reason, Set.of(allowed));
    }

    private static <T> Shape<T> refusedAtImport(Class<T> type, T object, String reason) {
        return new Shape<>(type, object, REFUSED + reason, "", Set.of());
    }

    /** Only the object shows that it can't be a view. */
    private static <T> Shape<T> refusedValue(Class<T> type, T object, String reason) {
        return new Shape<>(type, object, IMPORTED, REFUSED + reason, Set.of());
    }

    /** Only the object shows it, and a note of the import says so. */
    private static <T> Shape<T> refusedValue(Class<T> type, T object, String note, String reason) {
        return new Shape<>(type, object, NOTED + note, REFUSED + reason, Set.of());
    }

    static Stream<Shape<?>> shapes() {
        return Stream.of(
                        generics(),
                        methods(),
                        bodies(),
                        members(),
                        records(),
                        values(),
                        equalityAndSerialization(),
                        uses())
                .flatMap(Function.identity());
    }

    private static Stream<Shape<?>> generics() {
        String open = "so that its values may be of any type. Use a subclass that states the type";
        return Stream.of(
                byIdentity(GenericBase.class, ClassShapes.amounted(new GenericBase(), 5, new UUID(1, 2))),
                byIdentity(GenericTwice.class, ClassShapes.amounted(new GenericTwice(), 5L, "k")),
                refused(GenericGroup.class, ClassShapes.genericGroup(), open, "Pair"),
                refused(
                        GenericRecordGroup.class,
                        new GenericRecordGroup(new GenericRecord<>(5)),
                        open,
                        "GenericRecord"),
                refused(
                        GenericElements.class,
                        new GenericElements(List.of(new GenericRecord<>(5))),
                        open,
                        "GenericRecord"),
                byIdentity(Covariant.class, ClassShapes.covariant()),
                refused(
                        Narrowed.class,
                        new Narrowed(),
                        "Amounted.getAmount uses the field 'amount' directly",
                        "getAmount",
                        "setAmount"),
                same(NarrowGetter.class, new NarrowObject(5L)),
                byIdentity(Compared.class, new Compared()),
                byIdentity(ConstructorCalls.class, new ConstructorCalls()),
                byIdentity(Bridged.class, ClassShapes.bridged()),
                withLists(Wildcards.class, new Wildcards(nested().all(), List.of(1, 2))),
                refusedAtImport(RawList.class, new RawList(List.of("x")), "Type java.lang.Object is not supported"),
                same(Diamond.class, new DiamondObject(1, "x")),
                byIdentity(DefaultBehind.class, new DefaultBehind()));
    }

    private static Stream<Shape<?>> methods() {
        return Stream.of(
                sameAsNoted(DefaultGetter.class, new DefaultKept(5), "Left out name"),
                refusedValue(
                        DefaultGetter.class,
                        new DefaultReplaced(5, "x"),
                        "lose its members: [getName()]",
                        "would lose [getName()]"),
                sameAsNoted(DefaultMethod.class, new TitleKept(5), "refuse objects of "),
                refusedValue(
                        DefaultMethod.class,
                        new TitleReplaced(5),
                        "lose its members: [title()]",
                        "would lose [title()]"),
                byIdentity(Instrument.class, ClassShapes.instrument(new Instrument())),
                refusedValue(
                        Instrument.class,
                        ClassShapes.instrument(new Bond()),
                        "lose its members: [describe()]",
                        "would lose [describe()]"),
                refusedValue(
                        Instrument.class,
                        ClassShapes.instrument(new Tagged()),
                        "lose its members: [tag]",
                        "would lose [tag]"),
                refusedValue(
                        Instrument.class,
                        ClassShapes.instrument(new Open()),
                        "lose its members: [rating]",
                        "would lose [rating]"),
                byIdentity(Bond.class, ClassShapes.instrument(new Bond())),
                byIdentity(Hidden.class, ClassShapes.instrument(new Hidden())),
                refused(SuperCall.class, ClassShapes.instrument(new SuperCall()), "twice calls super.getId()", "twice"),
                refused(
                        SuperReference.class,
                        ClassShapes.instrument(new SuperReference()),
                        " calls super.getId()",
                        "lambda$later$0"),
                refused(
                        InheritsHiddenPart.class,
                        new InheritsHiddenPart(),
                        "its method getPart has the type io.millrace.view.samples.HiddenPart$Part, which is not public",
                        "InheritsHiddenPart"),
                byIdentity(SuperOfMethod.class, ClassShapes.instrument(new SuperOfMethod())),
                refused(Extended.class, new Extended(), "uses the field 'modCount' directly", "ArrayList"),
                different(
                        EqualsById.class,
                        new EqualsById(),
                        "EqualsById are equal if these fields are: id.",
                        "[after setNote(one) equals"),
                same(ByGetters.class, new ByGetters()),
                byIdentity(ByGetter.class, new ByGetter()),
                same(Ordered.class, new OrderedObject(1)),
                refused(LazyCache.class, new LazyCache(), "label uses the field 'label' directly", "label"),
                refused(Withers.class, new Withers(), "withId uses the field 'id' directly", "withId"),
                refused(WithFactory.class, WithFactory.of(5), "Add a constructor without parameters", "WithFactory"),
                refused(Inner.class, ClassShapes.inner(), "Add a constructor without parameters", "Inner"),
                byIdentity(Built.class, new Built.Builder().build()),
                byIdentity(StaticCounter.class, new StaticCounter()),
                different(
                        Validated.class,
                        new ValidatedObject(false, 1),
                        "Left out isValid: views of ",
                        "[isValid: false is true"),
                different(
                        Document.class,
                        new DocumentObject("x", new byte[] {1}),
                        "Left out bytes: views of ",
                        "[bytes: "),
                refused(FinalClass.class, new FinalClass(), "it is final", "FinalClass"),
                refused(PrivateClass.class, new PrivateClass(), "it is private", "PrivateClass"),
                refused(SealedPart.class, new SealedPart(new SealedEnd()), "SealedEnd: it is final", "SealedEnd"),
                new Shape<>(
                        Instruments.class,
                        new Instruments(List.of(new Bond())),
                        REFUSED + "Bond has members that they would lose: [describe()]",
                        REFUSED + "would lose [describe()]",
                        Set.of("Bond", "Open", "SuperOfMethod", "Tagged")),
                refused(
                        AbstractMethods.class,
                        new AmountIn(1),
                        " is not a getter or setter of a field",
                        "AbstractMethods"));
    }

    private static Stream<Shape<?>> bodies() {
        String more = "does more than return or set a field";
        return Stream.of(
                byIdentity(TwoBooleans.class, ClassShapes.twoBooleans()),
                byIdentity(Fluent.class, new Fluent().setId(5).setName("x")),
                byIdentity(Synchronized.class, new Synchronized()),
                byIdentity(OrNull.class, new OrNull()),
                byIdentity(CopyingGetter.class, new CopyingGetter()),
                byIdentity(ReadOnlyList.class, new ReadOnlyList()),
                byIdentity(DelegatingSetter.class, new DelegatingSetter()),
                byIdentity(ProtectedSetter.class, new ProtectedSetter()),
                refused(
                        OverloadedSetter.class,
                        new OverloadedSetter(),
                        "setAmount(java.lang.String) can't hold",
                        "OverloadedSetter"),
                refused(
                        RefusedPart.class,
                        new RefusedPart(),
                        "setAmount(java.lang.String) can't hold",
                        "OverloadedSetter"),
                refused(SetOnce.class, new SetOnce(), more, "setName"),
                refused(IgnoresNull.class, new IgnoresNull(), more, "setName"),
                refused(KeepsOnNull.class, new KeepsOnNull(), more, "setName"),
                refused(SetsNull.class, new SetsNull(), more, "setName"),
                refused(ReturnsTheOld.class, new ReturnsTheOld(), more, "setName"),
                refused(DefaultNow.class, new DefaultNow(), more, "getSeen"),
                refused(Throwing.class, new Throwing(), more, "getId"),
                refused(Overridden.class, new Overridden(5), more, "amount"),
                withLists(OverriddenCopy.class, new OverriddenCopy(List.of("a"), new byte[] {1})),
                refused(Alias.class, new Alias(), "getAmt uses the field 'amount' directly", "getAmt"),
                refused(FinalGetter.class, new FinalGetter(), "getId uses the field 'id' directly", "getId"),
                refusedAtImport(ProtectedGetter.class, new ProtectedGetter(), "No getters"));
    }

    private static Stream<Shape<?>> members() {
        return Stream.of(
                refused(PublicField.class, new PublicField(), "its field 'id' is public", "id"),
                refused(PublicFieldAndGetter.class, new PublicFieldAndGetter(), "its field 'id' is public", "id"),
                refused(
                        ConstrainedField.class,
                        new ConstrainedField(),
                        "its field 'secret' has constraints, but no getter",
                        "ConstrainedField"),
                refused(NativeGetter.class, new NativeGetter(), "getId does more", "getId"),
                refused(FinalField.class, new FinalField(), "getKind does more", "getKind"),
                refused(TransientField.class, new TransientField(), "its field 'name' is transient", "name"),
                byIdentity(RecordInClass.class, new RecordInClass()),
                byIdentity(OptionalGroup.class, new OptionalGroup()),
                refusedAtImport(
                        OptionalList.class,
                        new OptionalList(Optional.of(List.of("a"))),
                        "contains a list, which is never absent in a record"),
                refusedAtImport(
                        ListOfOptionals.class, new ListOfOptionals(List.of()), "java.util.Optional is not supported"),
                refusedAtImport(
                        StreamMember.class, new StreamMember(Stream.of()), "java.util.stream.Stream is not supported"),
                refusedAtImport(MapMember.class, new MapMember(Map.of("a", "b")), "java.util.Map is not supported"),
                refusedAtImport(
                        DequeMember.class, new DequeMember(ClassShapes.deque()), "java.util.Deque is not supported"),
                refusedAtImport(CalendarMember.class, new CalendarMember(null), "java.util.Calendar is not supported"),
                refusedAtImport(NumberMember.class, new NumberMember(5), "java.lang.Number is not supported"),
                refusedAtImport(ObjectMember.class, new ObjectMember("x"), "java.lang.Object is not supported"),
                refusedAtImport(
                        ComparableMember.class, new ComparableMember("x"), "java.lang.Comparable is not supported"),
                refusedAtImport(
                        SerializableMember.class, new SerializableMember("x"), "java.io.Serializable is not supported"),
                new Shape<>(
                        CodedMember.class,
                        new CodedMember(Code.A),
                        REFUSED + "Code has members that they would lose: [name, ordinal]",
                        REFUSED + "would lose [name, ordinal]",
                        Set.of("Code")),
                same(Drawing.class, new Drawing(new Circle(1))),
                refusedAtImport(Tree.class, new Tree("x", List.of()), "contains itself"));
    }

    private static <T> Shape<T> changing(Class<T> type, T object) {
        return new Shape<>(
                type,
                object,
                REFUSED + "its constructor changes 'name', and may change it each time",
                REFUSED + "changes 'name' from a! to a!!",
                Set.of("<init>"));
    }

    /** Classes that change what Object's methods and serialization do. */
    private static Stream<Shape<?>> equalityAndSerialization() {
        String form = " changes how objects are serialized";
        return Stream.of(
                sameAsNoted(EqualsByAll.class, new EqualsByAll(), "refuse objects of "),
                same(EqualsByMore.class, new EqualsByMore()),
                different(
                        ToStringOfFields.class,
                        new ToStringOfFields(),
                        "toString that uses fields or the class: " + ToStringOfFields.class.getName(),
                        "[toString: note n is "),
                same(EqualsByClass.class, new EqualsByClass()),
                same(EqualsByReflection.class, new EqualsByReflection()),
                refused(OwnClass.class, new OwnClass(), "OwnClass.kind calls getClass()", "kind"),
                refused(
                        ShownByReflection.class,
                        new ShownByReflection(),
                        "shown calls reflectionToString(), which reads fields",
                        "shown"),
                refused(CloneWithAnId.class, new CloneWithAnId(), "its method clone changes the copy", "clone"),
                refused(SerialFields.class, new SerialFields(), "serialPersistentFields", "serialPersistentFields"),
                refused(ReadResolve.class, new ReadResolve(), "readResolve" + form, "readResolve"),
                refused(WriteReplace.class, new WriteReplace(), "writeReplace" + form, "writeReplace"),
                refused(FinalWriteReplace.class, new FinalWriteReplace(), "Remove 'final'", "FinalWriteReplace"),
                refused(FinalEquals.class, new FinalEquals(), "its method equals is final, and uses", "FinalEquals"),
                refused(WriteObject.class, new WriteObject(), "writeObject" + form, "writeObject", "readObject"),
                refused(External.class, new External(), "writeExternal" + form, "writeExternal", "readExternal"));
    }

    /** Classes that use their fields, their class or their identity by other ways than a field access. */
    private static Stream<Shape<?>> uses() {
        String text = "toString that uses fields or the class: ";
        return Stream.of(
                refused(
                        SerializableEnd.class,
                        new SerializableEnd(),
                        "NotSerializable, which is not Serializable, and serialized views contain its value",
                        "id"),
                different(
                        EqualsByIdentity.class,
                        new EqualsByIdentity(),
                        "EqualsByIdentity are equal if these fields are: name.",
                        "[after setId(77) equals"),
                different(
                        EqualsByClassLiteral.class,
                        new EqualsByClassLiteral(),
                        "EqualsByClassLiteral are equal if these fields are: id.",
                        "[after setName(one) equals"),
                different(TextBuilder.class, new TextBuilder(), text, "[toString: "),
                different(ReflectionText.class, new ReflectionText(), text, "[toString: "),
                different(TextOfObject.class, new TextOfObject(), text, "[toString: "),
                refused(ClassOfPart.class, new ClassOfPart(), "ClassOfPart.kind calls getClass()", "kind"),
                refused(Identified.class, new Identified(), "identity calls identityHashCode(), which is", "identity"),
                refused(Counting.class, new Counting(), "AtomicLongFieldUpdater.incrementAndGet()", "increment"),
                refused(CountingByHandle.class, new CountingByHandle(), "VarHandle.getAndAdd()", "increment"),
                refused(ByReflection.class, new ByReflection(), "value calls Field.get(), which reads", "value"),
                refused(Draining.class, new Draining(), "getEvents does more than return", "getEvents"),
                different(CreatedList.class, new CreatedList(), NULL_LISTS, "[equals]"),
                refused(
                        ConstructorReads.class,
                        new ConstructorReads(),
                        "ConstructorReads calls getNames, and a view has no values before",
                        "ConstructorReads"),
                refusedValue(
                        Titled.class,
                        new UpperCaseTitle(),
                        "lose its members: [setTitle()]",
                        "would lose [setTitle()] of "),
                byIdentity(ValidBean.class, new ValidBean()),
                withLists(OtherResults.class, new OtherResultsObject("x", List.of("y"), true)),
                refused(
                        VoidValidate.class,
                        new VoidValidateObject(1),
                        " is not a getter or setter of a field",
                        "VoidValidate"),
                new Shape<>(
                        DocumentPart.class,
                        new DocumentPartObject(new DocumentObject("x", new byte[] {1})),
                        IMPORTED,
                        DIFFERENT + "[equals]", // of arrays
                        Set.of()));
    }

    private static Stream<Shape<?>> records() {
        return Stream.of(
                withLists(Nested.class, nested()),
                withLists(Nested.class, new Nested(1, null, List.of())),
                withLists(
                        Nested.class,
                        new Nested(
                                Long.MIN_VALUE,
                                new Nested.Inside(null, null),
                                Collections.nCopies(300, new Nested.Inside(null, null)))),
                withLists(Nested.class, new Nested(1, new Nested.Inside("é".repeat(127), false), List.of())),
                refusedValue(
                        Nested.class,
                        new Nested(1, new Nested.Inside("x".repeat(256), null), List.of()),
                        NULL_LISTS,
                        "255 bytes"),
                withLists(Enums.class, enums()),
                same(Names.class, new Names(1, 2, 3, 4, 5, 6)),
                withLists(Varargs.class, new Varargs(1, "a", "b")),
                withLists(Varargs.class, new Varargs(1)),
                same(UpperCase.class, new UpperCase("eur")),
                changing(Growing.class, new Growing("a")),
                changing(GrowingPart.class, new GrowingPart(1, new Growing("a"))),
                withLists(Defaulted.class, new Defaulted(null, null, -1)),
                new Shape<>(
                        Halved.class,
                        new Halved(8),
                        REFUSED + "its constructor changes 'count'",
                        REFUSED + "changes 'count' from 4 to 2",
                        Set.of("<init>")),
                withLists(Checked.class, new Checked(1, List.of("a"))),
                withLists(
                        ClassShapes.Arrays.class,
                        new ClassShapes.Arrays(
                                new Nested.Inside[] {nested().inside()},
                                new long[] {1},
                                new float[] {1},
                                new boolean[] {true, false},
                                new byte[][] {{1}, {}})),
                different(
                        ClassShapes.Arrays.class,
                        new ClassShapes.Arrays(null, null, null, null, null),
                        NULL_LISTS,
                        "longs: null is"),
                different(Sets.class, new Sets(null, null), NULL_LISTS, "[names: null is [], numbers: null is []"),
                withLists(Iterables.class, new Iterables(List.of("a"), nested().all(), List.of(1))),
                refusedValue(
                        SetAsCollection.class,
                        new SetAsCollection(Set.of("b", "a")),
                        NULL_LISTS,
                        "Declare the getter as Set."),
                withLists(Sets.class, new Sets(ClassShapes.sorted("b", "a"), ClassShapes.linked(List.of(3L, 1L)))));
    }

    @SuppressWarnings({"JavaUtilDate", "UnnecessaryStringBuilder"}) // applications have such values
    private static Stream<Shape<?>> values() {
        String scale = "Members, with their scale: amount (6).";
        return Stream.of(
                same(CharSequenceMember.class, new CharSequenceMember("x")),
                refusedValue(
                        CharSequenceMember.class,
                        new CharSequenceMember(new StringBuilder("x")),
                        "Use a String, not a StringBuilder."),
                refusedValue(Required.class, new Required(null, 1, nested().inside()), "name"),
                refusedValue(Required.class, new Required("", null, nested().inside()), "count"),
                refusedValue(Required.class, new Required("", 1, null), "inside"),
                sameAsNoted(DateMember.class, new DateMember(new Date(-1)), "such as Timestamp. Members: seen."),
                different(
                        DateMember.class,
                        new DateMember(new Timestamp(5)),
                        "such as Timestamp. Members: seen.",
                        "[seen: "),
                same(AddressMember.class, new AddressMember(InetAddress.ofLiteral("10.0.0.1"))),
                refusedValue(
                        AddressMember.class, new AddressMember(InetAddress.ofLiteral("::1")), "Use an IPv4 address."),
                refusedValue(Large.class, new Large(BigInteger.TWO.pow(70)), "Use -9223372036854775808 to"),
                same(Texts.class, new Texts("\ud83d\ude00\u0001", "", 'x', '\0')),
                same(Texts.class, new Texts("", null, '\0', null)),
                same(Texts.class, new Texts("a\0b", "\ufeff", 'x', 'x')),
                refusedValue(Texts.class, new Texts("a\0", null, 'x', 'x'), "would be read as padding"),
                refusedValue(Texts.class, new Texts("\ud800", null, 'x', 'x'), "Use characters of UTF-8."),
                withLists(Reals.class, new Reals(-0.0, Float.NaN, Double.NaN, new double[] {-0.0, Double.MIN_VALUE})),
                withLists(Reals.class, new Reals(Double.NEGATIVE_INFINITY, -0.0f, null, new double[0])),
                same(Times.class, new Times(LocalDate.of(5_000_000, 1, 1), Instant.ofEpochSecond(-1, 1))),
                refusedValue(Times.class, new Times(LocalDate.MAX, Instant.EPOCH), "Invalid value '+999999999-12-31'"),
                refusedValue(Times.class, new Times(LocalDate.EPOCH, Instant.MIN), "Invalid value '-1000000000-01-01"),
                sameAsNoted(Decimals.class, new Decimals(new BigDecimal("1.500000")), scale),
                different(Decimals.class, new Decimals(new BigDecimal("1.5")), scale, "[amount: 1.5 is 1.500000"),
                different(Decimals.class, new Decimals(new BigDecimal("1E+3")), scale, "[amount: 1E+3 is 1000.000000"),
                refusedValue(
                        Decimals.class,
                        new Decimals(new BigDecimal("0.00000001")),
                        scale,
                        "Use at most 6 decimals, not 8."),
                same(Bytes.class, new Bytes(new byte[] {0, -1}, new byte[0])),
                refusedValue(Bytes.class, new Bytes(new byte[] {1, 0}, null), "would be read as padding"));
    }

    private static Enums enums() {
        return new Enums(
                Direction.DOWN,
                List.of(Words.values()),
                ClassShapes.linked(List.of(Direction.DOWN, Direction.UP)),
                Direction.values());
    }

    private static Nested nested() {
        return new Nested(1, new Nested.Inside("x", true), List.of(new Nested.Inside("y", null)));
    }

    /** Returns each shape with another object of the same content. */
    static Stream<Arguments> pairs() {
        List<Shape<?>> twins = shapes().toList();
        AtomicInteger index = new AtomicInteger();
        return shapes().map(shape ->
                arguments(shape, twins.get(index.getAndIncrement()).object()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void shouldBeTheSameOrRefused(Shape<?> shape, Object twin) {
        assertOutcome(atImport(shape), shape.atImport());
        if (!shape.atRunTime().isEmpty()) {
            assertOutcome(atRunTime(shape, twin), shape.atRunTime());
        }
    }

    private static void assertOutcome(String actual, String outcome) {
        String[] expected = outcome.split(" ", 2);
        assertThat(actual).startsWith(expected[0]).contains(expected[expected.length - 1]);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("shapes")
    void shouldAcceptByNameWhatTheImportAccepts(Shape<?> shape) {
        Set<String> names = new HashSet<>(shape.allowed());
        names.remove("<init>"); // of records, whose values are checked
        boolean byName = names.stream().noneMatch(name -> Character.isUpperCase(name.charAt(0)));
        if (byName && !names.isEmpty()) {
            String[] all = names.toArray(String[]::new);
            ClassImport.Result imported = imported(shape.type(), shape.allowed());
            RecordViews<?> views = RecordViews.builder(shape.type(), schema(imported))
                    .replaceBodies(all)
                    .allowFieldUse(all)
                    .replaceSerialization(all)
                    .build();

            assertThat(views.type()).isEqualTo(shape.type());
            assertThat(imported.notes()).anyMatch(note -> note.startsWith("The builder of RecordViews needs "));
            assertThat(imported.schema().head()).last().asString().contains("The builder of RecordViews needs ");
        }
    }

    @Test
    void shouldHaveHashCodesThatFitEquals() {
        RecordViews<EqualsById> views = views(EqualsById.class);
        EqualsById other = views.create();
        other.setNote("other");

        assertThat(views.view(other)).isNotEqualTo(views.view(new EqualsById()));
        assertThat(views.view(new EqualsById()))
                .isEqualTo(views.view(new EqualsById()))
                .hasSameHashCodeAs(views.view(new EqualsById()));
    }

    @Test
    void shouldAcceptNullAndShareNothing() {
        RecordViews<CopyingGetter> views = views(CopyingGetter.class);
        CopyingGetter view = views.create();
        List<String> names = new ArrayList<>(List.of("a"));
        view.setNames(names);
        names.add("b");
        view.getBytes()[0] = 7;

        assertThat(view.getNames()).containsExactly("a");
        assertThat(view.getBytes()).containsExactly(1, 2);
        view.setNames(null);
        view.setBytes(null);
        assertThat(view.getNames()).isEmpty();
        assertThat(view.getBytes()).isNull();
    }

    @Test
    void shouldRefuseAGetterThatItsPackageHides() {
        Schema schema = Orders.schema("compact", "  - { name: id, type: i64 }\n");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RecordViews.of(OfAnotherPackage.class, schema))
                .withMessageContaining("PackageGetter.getId uses the field 'id' directly");
    }

    @Test
    void shouldNoteWhatViewsDoNotRead() {
        assertThat(imported(DefaultGetter.class).notes())
                .contains("Left out name: io.millrace.view.type.ClassShapes.DefaultGetter computes it.");
    }

    /** A difference that only {@code equals} and {@code toString} of the value show. */
    @Test
    void shouldNoteDecimalsWhoseScaleIsThatOfTheField() {
        RecordViews<Decimals> views = views(Decimals.class);
        Decimals one = new Decimals(new BigDecimal("2.5"));
        Decimals other = new Decimals(new BigDecimal("2.50"));
        BigDecimal read = views.view(one).amount();

        assertThat(one).isNotEqualTo(other);
        assertThat(views.bytes(one)).isEqualTo(views.bytes(other));
        assertThat(read).isEqualByComparingTo(one.amount()).isNotEqualTo(one.amount());
        assertThat(read)
                .isEqualTo(new BigDecimal("2.500000"))
                .isEqualTo(views.view(other).amount());
        assertThat(imported(Decimals.class).notes())
                .containsExactly("Views return a BigDecimal with the scale of its field, such as 1.50 for 1.5 if the"
                        + " scale is 2. BigDecimal.equals and toString distinguish these, compareTo does not. Members,"
                        + " with their scale: amount (6).");
    }

    @Test
    void shouldHaveAGroupForEachMember() {
        RecordViews<TwoParts> views = views(TwoParts.class);
        Fluent part = new Fluent().setId(5);
        TwoParts view = views.create();
        view.setOne(part);
        view.setTwo(part);
        view.getOne().setId(6);

        assertThat(view.getTwo().getId()).isEqualTo(5);
    }

    @Test
    void shouldReturnAnotherObjectForAGroupEachTime() {
        RecordViews<OptionalGroup> views = views(OptionalGroup.class);
        OptionalGroup view = views.view(new OptionalGroup());

        assertThat(view.getInside()).isEqualTo(view.getInside());
        assertThat(view.getInside().orElseThrow()).isNotSameAs(view.getInside().orElseThrow());
    }

    private static <T> RecordViews<T> views(Class<T> type) {
        return RecordViews.of(type, schema(imported(type)));
    }

    private static ClassImport.Result imported(Class<?> type) {
        return imported(type, Set.of());
    }

    private static ClassImport.Result imported(Class<?> type, Set<String> allowed) {
        try {
            return ClassImport.read(
                    "shape", type.getName(), List.of(classes()), new ClassImport.Options(Set.of(), 0, allowed, false));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Schema schema(ClassImport.Result imported) {
        String yaml = ModelWriter.write(imported.schema());
        return SchemaReader.read("shape.yml", yaml.getBytes(StandardCharsets.UTF_8));
    }

    /** Returns whether the class is imported, or why not. */
    private static String atImport(Shape<?> shape) {
        try {
            List<String> notes = imported(shape.type()).notes();
            return notes.isEmpty() ? IMPORTED : NOTED + notes;
        } catch (ModelException e) {
            return REFUSED + e.getMessage();
        }
    }

    /** Returns whether views are the same as the object, or why not. */
    private static <T> String atRunTime(Shape<T> shape, Object twin) {
        Schema schema = schema(imported(shape.type(), shape.allowed()));
        try {
            RecordViews<T> views = RecordViews.of(shape.type(), schema);
            T object = shape.object();
            List<T> all = new ArrayList<>(List.of(views.view(object), views.of(views.bytes(object))));
            if (!shape.type().isRecord()) {
                all.add(views.edit(object));
                all.add(views.edit(views.view(object)));
            }
            List<String> different = new ArrayList<>();
            all.forEach(view -> different.addAll(differences(shape.type(), object, view)));
            different.addAll(equality(object, twin, all.getLast(), all.getFirst()));
            if (!shape.type().isRecord()) {
                different.addAll(serialization(shape.type(), object, all.getFirst()));
                different.addAll(setters(
                        shape.type(),
                        object,
                        twin,
                        views.edit(object),
                        views.edit(shape.type().cast(twin))));
            }
            return different.isEmpty()
                    ? SAME
                    : DIFFERENT + different.stream().distinct().toList();
        } catch (IllegalArgumentException | FieldValueException e) {
            return REFUSED + e.getMessage();
        }
    }

    /** Returns the methods of Object that views implement in another way, for an object and another one. */
    private static List<String> equality(Object object, Object twin, Object view, Object viewOfTwin) {
        List<String> different = new ArrayList<>();
        if (object.equals(twin) != view.equals(viewOfTwin) || twin.equals(object) != viewOfTwin.equals(view)) {
            different.add("equals");
        }
        if (view.equals(viewOfTwin) && view.hashCode() != viewOfTwin.hashCode()) {
            different.add("hashCode");
        }
        return different;
    }

    /** Returns what is different after objects were written and read, if the class allows this. */
    private static List<String> serialization(Class<?> type, Object object, Object view) {
        if (!Serializable.class.isAssignableFrom(type)) {
            return List.of();
        }
        return differences(type, read(object), read(view)).stream()
                .map(each -> "serialized " + each)
                .toList();
    }

    private static Object read(Object object) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
            out.flush();
            return new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
        } catch (IOException | ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns the methods without parameters and the fields that are not the same. */
    private static List<String> differences(Class<?> type, Object object, Object view) {
        List<String> different = new ArrayList<>();
        for (Method method : type.getMethods()) {
            if (method.getParameterCount() == 0
                    && method.getReturnType() != void.class
                    && !Modifier.isStatic(method.getModifiers())
                    && (!Accessor.isOfObject(method) || isText(method))
                    && !method.isBridge()) {
                Object expected = call(method, object);
                Object actual = call(method, view);
                if (!sameContent(expected, actual)) {
                    different.add(method.getName() + ": " + expected + " is " + actual);
                }
            }
        }
        for (Field field : type.getFields()) {
            try {
                if (!Modifier.isStatic(field.getModifiers()) && !sameContent(field.get(object), field.get(view))) {
                    different.add("field " + field.getName());
                }
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
        return different;
    }

    private static boolean isText(Method method) {
        return method.getName().equals("toString")
                && method.getDeclaringClass() != Object.class
                && !method.getDeclaringClass().isRecord();
    }

    private static boolean sameContent(@Nullable Object expected, @Nullable Object actual) {
        if (expected != null
                && actual != null
                && expected.getClass().isRecord()
                && expected.getClass() == actual.getClass()) {
            return differences(expected.getClass(), expected, actual).isEmpty();
        }
        if (expected instanceof List<?> one && actual instanceof List<?> other) {
            if (one.size() != other.size()) {
                return false;
            }
            for (int i = 0; i < one.size(); i++) {
                if (!sameContent(one.get(i), other.get(i))) {
                    return false;
                }
            }
            return true;
        }
        if (expected instanceof Object[] one && actual instanceof Object[] other) {
            return sameContent(Arrays.asList(one), Arrays.asList(other));
        }
        if (expected instanceof Optional<?> one && actual instanceof Optional<?> other) {
            return sameContent(one.orElse(null), other.orElse(null));
        }
        return SameContent.of(expected, actual);
    }

    /** Calls each setter of an object and of its view with some values and null, and then those of the other ones. */
    @SuppressWarnings("ReferenceEquality") // fluent setters return the object itself
    private static List<String> setters(Class<?> type, Object object, Object twin, Object view, Object viewOfTwin) {
        List<String> different = new ArrayList<>();
        List<Method> methods = Arrays.stream(type.getMethods())
                .sorted(Comparator.comparing(Method::toString))
                .toList();
        for (Method setter : methods) {
            if (setter.getName().startsWith("set") && setter.getParameterCount() == 1 && !setter.isBridge()) {
                Class<?> parameter = setter.getParameterTypes()[0];
                List<@Nullable Object> values = new ArrayList<>();
                if (parameter == String.class) {
                    values.addAll(List.of("one", "two"));
                } else if (parameter == long.class || parameter == Long.class) {
                    values.add(77L);
                }
                if (!parameter.isPrimitive() && !NEVER_NULL.contains(parameter)) {
                    values.add(null);
                }
                for (Object value : values) {
                    Object expected = call(setter, object, value);
                    Object actual = call(setter, view, value);
                    if (actual instanceof Failure && !(expected instanceof Failure)) {
                        continue; // refused
                    }
                    if (!(expected == object && actual == view) && !sameContent(expected, actual)) {
                        different.add(setter.getName() + ": " + expected + " is " + actual);
                    }
                    List<String> after = new ArrayList<>(differences(type, object, view));
                    after.addAll(equality(object, twin, view, viewOfTwin));
                    after.forEach(each -> different.add("after " + setter.getName() + "(" + value + ") " + each));
                }
                for (Object value : values) {
                    call(setter, twin, value);
                    call(setter, viewOfTwin, value);
                }
            }
        }
        return different;
    }

    private record Failure(String kind) {}

    private static @Nullable Object call(Method method, Object object, @Nullable Object... values) {
        try {
            method.setAccessible(true);
            return method.invoke(object, values);
        } catch (InvocationTargetException e) {
            return new Failure(String.valueOf(e.getCause()));
        } catch (IllegalAccessException e) {
            throw new AssertionError(e);
        }
    }

    private static Path classes() {
        try {
            return Path.of(ClassShapesTest.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
