package io.millrace.codec.view;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.DEFAULT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import io.millrace.codec.BooleanCodec;
import io.millrace.codec.DoubleCodec;
import io.millrace.codec.FieldCodec;
import io.millrace.codec.LongCodec;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Generates the hidden class of an interface's views, in the package of the interface. The codecs are constants of the
 * class, so that the JIT compiler reads a field as if its offset were a literal. As Java source, getters would be
 *
 * <pre>
 * public long getId() { return CODEC.getExact(row, 0); }
 * public BigDecimal getAmount() { return (BigDecimal) CODEC.value(row, 0); }
 * </pre>
 */
final class ViewClass {

    private static final DirectMethodHandleDesc CONSTANT =
            ConstantDescs.ofConstantBootstrap(describe(MethodHandles.class), "classDataAt", CD_Object, CD_int);
    private static final ClassDesc BYTES = CD_byte.arrayType();
    private static final ClassDesc VIEW = describe(RecordView.class);
    private static final ClassDesc VIEWS = describe(RecordViews.class);

    private final Class<?> view;
    private final ClassDesc self;
    private final List<Object> constants = new ArrayList<>();
    private final byte[] classBytes;

    /** @param codecs codecs of all fields that have getters */
    ViewClass(Class<?> view, List<Getter> getters, Map<String, FieldCodec> codecs) {
        this.view = view;
        self = ClassDesc.of(view.getPackageName(), view.getSimpleName() + "View");
        classBytes = ClassFile.of().build(self, builder -> {
            builder.withFlags(AccessFlag.FINAL, AccessFlag.SYNTHETIC)
                    .withSuperclass(VIEW)
                    .withInterfaceSymbols(describe(view))
                    .withMethodBody(
                            INIT_NAME,
                            MethodTypeDesc.of(CD_void, VIEWS, BYTES),
                            ClassFile.ACC_PUBLIC,
                            code -> code.aload(0)
                                    .aload(1)
                                    .aload(2)
                                    .invokespecial(VIEW, INIT_NAME, MethodTypeDesc.of(CD_void, VIEWS, BYTES))
                                    .return_());
            getters.forEach(getter -> add(builder, getter, Objects.requireNonNull(codecs.get(getter.field()))));
        });
    }

    private static ClassDesc describe(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    private void add(ClassBuilder builder, Getter getter, FieldCodec codec) {
        ClassDesc type = describe(getter.method().getReturnType());
        builder.withMethodBody(getter.method().getName(), MethodTypeDesc.of(type), ClassFile.ACC_PUBLIC, code -> {
            ClassDesc codecType = describe(getter.primitive() ? codec.getClass() : FieldCodec.class);
            code.loadConstant(constant(codec, codecType))
                    .aload(0)
                    .getfield(self, "row", BYTES)
                    .iconst_0();
            if (getter.primitive()) {
                primitive(code, codec, codecType, type);
            } else {
                code.invokevirtual(codecType, "value", MethodTypeDesc.of(CD_Object, BYTES, CD_int))
                        .checkcast(type)
                        .areturn();
            }
        });
    }

    private DynamicConstantDesc<?> constant(Object value, ClassDesc type) {
        constants.add(value);
        return DynamicConstantDesc.ofNamed(CONSTANT, DEFAULT_NAME, type, constants.size() - 1);
    }

    private static void primitive(CodeBuilder code, FieldCodec codec, ClassDesc codecType, ClassDesc type) {
        switch (codec) {
            case LongCodec _ -> {
                code.invokevirtual(codecType, "getExact", MethodTypeDesc.of(CD_long, BYTES, CD_int));
                if (type.equals(CD_int)) {
                    code.l2i().ireturn();
                } else {
                    code.lreturn();
                }
            }
            case DoubleCodec _ ->
                code.invokevirtual(codecType, "get", MethodTypeDesc.of(CD_double, BYTES, CD_int))
                        .dreturn();
            case BooleanCodec _ ->
                code.invokevirtual(codecType, "get", MethodTypeDesc.of(CD_boolean, BYTES, CD_int))
                        .ireturn();
            default -> throw new IllegalArgumentException("no primitive values: " + codec.field());
        }
    }

    /** Defines the class and returns a method handle that creates a view of a row. */
    MethodHandle define(RecordViews<?> views) {
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(view, MethodHandles.lookup())
                    .defineHiddenClassWithClassData(classBytes, constants, true);
            return lookup.findConstructor(
                            lookup.lookupClass(), MethodType.methodType(void.class, RecordViews.class, byte[].class))
                    .bindTo(views);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(
                    view.getName() + " is not open to Millrace: put both on one class path, or open its package", e);
        } catch (NoSuchMethodException e) {
            throw new AssertionError("it was just written", e);
        }
    }
}
