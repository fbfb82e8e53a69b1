package io.millrace.view.bytecode;

import static java.lang.constant.ConstantDescs.CD_Character;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_byte;
import static java.lang.constant.ConstantDescs.CD_char;
import static java.lang.constant.ConstantDescs.CD_double;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_long;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.DEFAULT_NAME;
import static java.lang.constant.ConstantDescs.INIT_NAME;

import io.millrace.codec.bytecode.ClassDescs;
import io.millrace.view.access.Access;
import io.millrace.view.access.BinaryForm;
import io.millrace.view.access.BinaryView;
import io.millrace.view.type.Accessor;
import io.millrace.view.type.ClassFiles;
import java.io.Serializable;
import java.lang.classfile.Annotation;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.classfile.attribute.RuntimeVisibleAnnotationsAttribute;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicConstantDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.ConstantBootstraps;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * Generates the class of views of one form, in the package of their type. What getters do is in constants of the class,
 * so that the JIT compiler reads a field as if its offset were a literal. As Java source, it would be
 *
 * <pre>
 * final class Trade$$View8b24e1f2c09d7a36 implements Trade, BinaryView, Serializable {
 *     private final byte[] millraceBytes;
 *     private final int millraceAt;
 *     private Object millraceState;                   // of the compact layout only
 *     public long getId() { return ACCESS1.number(this); }
 *     public BigDecimal getAmount() { return (BigDecimal) ACCESS2.get(this); }
 *     public void setAmount(BigDecimal amount) { ACCESS3.set(this, amount); }
 *     ...
 * }
 * </pre>
 *
 * <p>By the two dollar signs, Spring knows the class as a generated one and uses its superclass.
 */
public final class ViewClass {

    private static final DirectMethodHandleDesc CONSTANT = ConstantDescs.ofConstantBootstrap(
            ClassDescs.of(ConstantBootstraps.class), "invoke", CD_Object, CD_MethodHandle, CD_Object.arrayType());
    private static final MethodTypeDesc CONSTANT_AT = MethodTypeDesc.of(CD_Object, CD_int);
    private static final ClassDesc BYTES = CD_byte.arrayType();
    private static final ClassDesc VIEW = ClassDescs.of(BinaryView.class);
    private static final ClassDesc FORM = ClassDescs.of(BinaryForm.class);
    private static final ClassDesc ACCESS = ClassDescs.of(Access.class);
    private static final String CONSTANTS = "millraceConstants";
    private static final MethodTypeDesc CREATE = MethodTypeDesc.of(CD_void, BYTES, CD_int, CD_Object);

    private final ViewOutline outline;
    private final Function<Accessor, Access> accesses;
    private final Class<?> type;
    private final ClassDesc self;
    private final ClassDesc parent;
    private final FieldConstraints constraints;
    private final List<Object> constants = new ArrayList<>();
    private final DirectMethodHandleDesc constantAt;
    private final DynamicConstantDesc<?> form;

    /**
     * @param form form of the views, which does what all of them do
     * @param accesses returns what a getter or setter does
     */
    public ViewClass(ViewOutline outline, BinaryForm form, Function<Accessor, Access> accesses) {
        this.outline = outline;
        this.accesses = accesses;
        this.type = outline.type();
        this.self = ClassDesc.of(type.getName() + Objects.requireNonNullElse(outline.name(), "$$View"));
        this.constraints = FieldConstraints.of(type, outline.accessors());
        this.parent = type.isInterface() ? CD_Object : ClassDescs.of(type);
        this.constantAt = MethodHandleDesc.ofMethod(DirectMethodHandleDesc.Kind.STATIC, self, CONSTANTS, CONSTANT_AT);
        this.form = constant(form, FORM);
    }

    /** Defines the class and returns an instance whose only use is to create others. */
    public BinaryView prototype() {
        try {
            MethodHandles.Lookup lookup = define(
                    MethodHandles.privateLookupIn(type, MethodHandles.lookup()),
                    ClassFile.of().build(self, this::write));
            lookup.findStaticVarHandle(lookup.lookupClass(), CONSTANTS, Object[].class)
                    .setVolatile(constants.toArray());
            return created(lookup.findConstructor(
                    lookup.lookupClass(), MethodType.methodType(void.class, byte[].class, int.class, Object.class)));
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(
                    type.getName() + " is not open to Millrace. Put both on one class path, or open its package.", e);
        } catch (NoSuchMethodException | NoSuchFieldException e) {
            throw new LinkageError("the class has it", e);
        }
    }

    private BinaryView created(MethodHandle constructor) {
        try {
            return (BinaryView) constructor.invoke(new byte[0], 0, null);
        } catch (Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalArgumentException(
                    "The constructor of " + type.getName() + " failed for a view: " + e
                            + ". Views call it before they have values: it must not call getters.",
                    e);
        }
    }

    /**
     * Defines the class in the class loader of the type, so that class loaders below find it by its name. If it has no
     * name, or there is one already, it is a hidden class, which is unloaded with its last view.
     */
    private MethodHandles.Lookup define(MethodHandles.Lookup ofType, byte[] classBytes) throws IllegalAccessException {
        if (outline.name() != null) {
            try {
                return MethodHandles.privateLookupIn(ofType.defineClass(classBytes), MethodHandles.lookup());
            } catch (LinkageError e) {
                // Views with another function of the same name have it, or another thread defines it now.
            }
        }
        return ofType.defineHiddenClass(classBytes, false);
    }

    private void write(ClassBuilder builder) {
        List<ClassDesc> interfaces = new ArrayList<>(List.of(VIEW, ClassDescs.of(Serializable.class)));
        if (type.isInterface()) {
            interfaces.add(ClassDescs.of(type));
        }
        boolean comparable = outline.ordered() && !implemented("compareTo");
        if (comparable) {
            interfaces.add(ClassDescs.of(Comparable.class));
        }
        builder.withFlags(ClassFile.ACC_FINAL | ClassFile.ACC_SYNTHETIC)
                .withSuperclass(parent)
                .withInterfaceSymbols(interfaces.stream().distinct().toList())
                .withField("millraceBytes", BYTES, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL)
                .withField("millraceAt", CD_int, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
        for (String name : constraints.names()) {
            builder.withField(
                    name,
                    CD_boolean,
                    field -> field.withFlags(ClassFile.ACC_PRIVATE)
                            .with(RuntimeVisibleAnnotationsAttribute.of(constraints.ofView())));
        }
        if (outline.hasState()) {
            builder.withField("millraceState", CD_Object, ClassFile.ACC_PRIVATE);
        }
        Annotation typeId = JsonTypeIds.annotation(type);
        if (typeId != null) {
            builder.with(RuntimeVisibleAnnotationsAttribute.of(typeId));
        }
        constructor(builder);
        constants(builder);
        internals(builder);
        outline.accessors().forEach(accessor -> accessor(builder, accessor));
        if (outline.objectMethods().replaced("equals", Object.class)) {
            method(builder, "equals", CD_boolean, List.of(CD_Object), "equal");
        }
        if (outline.objectMethods().replaced("hashCode")) {
            method(builder, "hashCode", CD_int, List.of(), "hash");
        }
        if (outline.objectMethods().replaced("toString")) {
            method(builder, "toString", CD_String, List.of(), "text");
        }
        if (comparable || (Comparable.class.isAssignableFrom(type) && !implemented("compareTo"))) {
            method(builder, "compareTo", CD_int, List.of(CD_Object), "compare");
        }
        if (declared("isValid") && !implemented("isValid")) {
            method(builder, "isValid", CD_boolean, List.of(), "isValid");
        }
        if (declared("validate") && !implemented("validate")) {
            method(builder, "validate", ClassDescs.of(List.class), List.of(), "validate");
        }
        if (outline.root() && declared("bytes") && !implemented("bytes")) {
            method(builder, "bytes", BYTES, List.of(), "copy");
        }
        outline.objectMethods().clones().forEach(result -> cloning(builder, ClassDescs.of(result)));
        method(builder, "writeReplace", CD_Object, List.of(), "serialized");
    }

    private boolean declared(String name) {
        return Arrays.stream(type.getMethods())
                .anyMatch(method -> method.getName().equals(name));
    }

    /** Returns whether the type implements a method, or it is a getter. */
    private boolean implemented(String name) {
        return outline.accessors().stream()
                        .anyMatch(accessor -> accessor.method().getName().equals(name)
                                && accessor.method().getParameterCount() == 0)
                || Arrays.stream(type.getMethods())
                        .anyMatch(method -> method.getName().equals(name)
                                && !Modifier.isAbstract(method.getModifiers())
                                && (method.getParameterCount() == 0 || name.equals("compareTo")));
    }

    private void constructor(ClassBuilder builder) {
        builder.withMethodBody(INIT_NAME, CREATE, ClassFile.ACC_PUBLIC, code -> {
            code.aload(0)
                    .invokespecial(parent, INIT_NAME, MethodTypeDesc.of(CD_void))
                    .aload(0)
                    .aload(1)
                    .putfield(self, "millraceBytes", BYTES)
                    .aload(0)
                    .iload(2)
                    .putfield(self, "millraceAt", CD_int);
            if (outline.hasState()) {
                code.aload(0).aload(3).putfield(self, "millraceState", CD_Object);
            }
            code.return_();
        });
    }

    /** Writes what {@link #CONSTANT} calls when the JVM links a constant. */
    private void constants(ClassBuilder builder) {
        builder.withField(
                        CONSTANTS,
                        CD_Object.arrayType(),
                        ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_VOLATILE | ClassFile.ACC_SYNTHETIC)
                .withMethodBody(
                        CONSTANTS,
                        CONSTANT_AT,
                        ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                        code -> code.getstatic(self, CONSTANTS, CD_Object.arrayType())
                                .iload(0)
                                .aaload()
                                .areturn());
    }

    private void internals(ClassBuilder builder) {
        field(builder, "millraceBytes", BYTES);
        field(builder, "millraceAt", CD_int);
        state(builder);
        builder.withMethodBody(
                "millraceForm",
                MethodTypeDesc.of(FORM),
                ClassFile.ACC_PUBLIC,
                code -> code.loadConstant(form).areturn());
        builder.withMethodBody(
                "millraceNew",
                MethodTypeDesc.of(VIEW, BYTES, CD_int, CD_Object),
                ClassFile.ACC_PUBLIC,
                code -> code.new_(self)
                        .dup()
                        .aload(1)
                        .iload(2)
                        .aload(3)
                        .invokespecial(self, INIT_NAME, CREATE)
                        .areturn());
    }

    private void field(ClassBuilder builder, String name, ClassDesc fieldType) {
        builder.withMethodBody(
                name,
                MethodTypeDesc.of(fieldType),
                ClassFile.ACC_PUBLIC,
                code -> code.aload(0).getfield(self, name, fieldType).return_(TypeKind.from(fieldType)));
    }

    private void state(ClassBuilder builder) {
        if (outline.hasState()) {
            field(builder, "millraceState", CD_Object);
        } else {
            builder.withMethodBody(
                    "millraceState",
                    MethodTypeDesc.of(CD_Object),
                    ClassFile.ACC_PUBLIC,
                    code -> code.aconst_null().areturn());
        }
        builder.withMethodBody("millraceState", MethodTypeDesc.of(CD_void, CD_Object), ClassFile.ACC_PUBLIC, code -> {
            if (outline.hasState()) {
                code.aload(0).aload(1).putfield(self, "millraceState", CD_Object);
            }
            code.return_();
        });
    }

    /** Writes a method that calls one of {@link BinaryForm} with the view and the parameters. */
    private void method(
            ClassBuilder builder, String name, ClassDesc result, List<ClassDesc> parameters, String target) {
        List<ClassDesc> withView = new ArrayList<>(List.of(VIEW));
        withView.addAll(parameters);
        builder.withMethodBody(name, MethodTypeDesc.of(result, parameters), ClassFile.ACC_PUBLIC, code -> {
            code.loadConstant(form).aload(0);
            for (int i = 0; i < parameters.size(); i++) {
                code.aload(i + 1);
            }
            code.invokeinterface(FORM, target, MethodTypeDesc.of(result, withView))
                    .return_(TypeKind.from(result));
        });
    }

    private void cloning(ClassBuilder builder, ClassDesc result) {
        builder.withMethodBody(
                "clone",
                MethodTypeDesc.of(result),
                ClassFile.ACC_PUBLIC,
                code -> code.loadConstant(form)
                        .aload(0)
                        .invokeinterface(FORM, "cloned", MethodTypeDesc.of(CD_Object, VIEW))
                        .checkcast(result)
                        .areturn());
    }

    private void accessor(ClassBuilder builder, Accessor accessor) {
        Method method = accessor.method();
        int visibility = method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED);
        Access access = accesses.apply(accessor);
        MethodTypeDesc descriptor = MethodTypeDesc.ofDescriptor(ClassFiles.descriptor(method));
        builder.withMethod(method.getName(), descriptor, visibility, body -> {
            constraints.of(method).forEach(body::with);
            body.withCode(code -> {
                code.loadConstant(constant(access, ACCESS)).aload(0);
                if (accessor.setter()) {
                    set(code, ClassDescs.of(accessor.rawType()), method.getReturnType());
                } else {
                    get(code, accessor.rawType());
                }
            });
        });
    }

    private static void get(CodeBuilder code, Class<?> result) {
        if (result == boolean.class) {
            code.invokeinterface(ACCESS, "truth", MethodTypeDesc.of(CD_boolean, VIEW))
                    .ireturn();
        } else if (result == double.class || result == float.class) {
            code.invokeinterface(ACCESS, "real", MethodTypeDesc.of(CD_double, VIEW));
            convert(code, TypeKind.DOUBLE, result);
        } else if (result == char.class) {
            code.invokeinterface(ACCESS, "get", MethodTypeDesc.of(CD_Object, VIEW))
                    .checkcast(CD_Character)
                    .invokevirtual(CD_Character, "charValue", MethodTypeDesc.of(CD_char))
                    .ireturn();
        } else if (result.isPrimitive()) {
            code.invokeinterface(ACCESS, "number", MethodTypeDesc.of(CD_long, VIEW));
            convert(code, TypeKind.LONG, result);
        } else {
            code.invokeinterface(ACCESS, "get", MethodTypeDesc.of(CD_Object, VIEW))
                    .checkcast(ClassDescs.of(result))
                    .areturn();
        }
    }

    private static void convert(CodeBuilder code, TypeKind from, Class<?> result) {
        TypeKind kind = TypeKind.from(ClassDescs.of(result));
        if (from == kind) {
            code.return_(kind);
        } else {
            code.conversion(from, kind).return_(kind);
        }
    }

    private static void set(CodeBuilder code, ClassDesc parameter, Class<?> result) {
        code.loadLocal(TypeKind.from(parameter), 1);
        if (parameter.isPrimitive()) {
            ClassDesc boxed = ClassDescs.of(
                    MethodType.methodType(primitive(parameter)).wrap().returnType());
            code.invokestatic(boxed, "valueOf", MethodTypeDesc.of(boxed, parameter));
        }
        code.invokeinterface(ACCESS, "set", MethodTypeDesc.of(CD_void, VIEW, CD_Object));
        if (result == void.class) {
            code.return_();
        } else {
            code.aload(0).areturn();
        }
    }

    private static Class<?> primitive(ClassDesc type) {
        return MethodType.fromMethodDescriptorString("()" + type.descriptorString(), null)
                .returnType();
    }

    private DynamicConstantDesc<?> constant(Object value, ClassDesc constantType) {
        constants.add(value);
        return DynamicConstantDesc.ofNamed(CONSTANT, DEFAULT_NAME, constantType, constantAt, constants.size() - 1);
    }
}
