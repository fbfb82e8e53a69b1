package io.millrace.codec.bytecode;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.CodeAttribute;
import java.lang.constant.ClassDesc;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.AccessFlag;
import java.util.function.Consumer;

/** The bytes of a generated class without fields, which implements an interface. Immutable. */
public final class HiddenClass {

    /** HotSpot's JIT compiler leaves longer methods interpreted. */
    public static final int MAX_CODE_BYTES = 8000;

    private final byte[] classBytes;
    private final Pool pool;
    private final int codeBytes;

    /**
     * Generates a class.
     *
     * @param self name of the class, in the package of the lookup that {@linkplain #instantiate instantiates} it
     * @param shape the interface
     * @param pool receives the constants of the methods
     * @param methods writes all methods except the constructor
     * @throws IllegalArgumentException if a method is too long for a class file
     */
    public HiddenClass(ClassDesc self, Class<?> shape, Pool pool, Consumer<ClassBuilder> methods) {
        this.pool = pool;
        this.classBytes = ClassFile.of().build(self, type -> {
            type.withFlags(AccessFlag.FINAL, AccessFlag.SYNTHETIC)
                    .withInterfaceSymbols(ClassDescs.of(shape))
                    .withMethodBody(
                            INIT_NAME,
                            MTD_void,
                            0,
                            code -> code.aload(0)
                                    .invokespecial(CD_Object, INIT_NAME, MTD_void)
                                    .return_());
            methods.accept(type);
        });
        this.codeBytes = ClassFile.of().parse(classBytes).methods().stream()
                .flatMap(method -> method.code().stream())
                .mapToInt(code -> ((CodeAttribute) code).codeLength())
                .max()
                .orElseThrow();
    }

    /** Returns the class file. */
    public byte[] classBytes() {
        return classBytes.clone();
    }

    /** Returns the length in bytes of the code of the longest method. */
    public int codeBytes() {
        return codeBytes;
    }

    /**
     * Defines the class and returns an instance.
     *
     * @param lookup lookup of a class in the same package
     * @param shape the interface
     */
    public <T> T instantiate(MethodHandles.Lookup lookup, Class<T> shape) {
        try {
            MethodHandles.Lookup defined = lookup.defineHiddenClassWithClassData(classBytes, pool.objects(), true);
            return shape.cast(defined.findConstructor(defined.lookupClass(), MethodType.methodType(void.class))
                    .invoke());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Failed to create a generated class.", e);
        }
    }
}
