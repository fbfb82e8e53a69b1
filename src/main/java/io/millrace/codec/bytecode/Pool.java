package io.millrace.codec.bytecode;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * The objects that one generated class uses as constants. They are its class data, so that the JIT compiler treats them
 * as constants too. Not thread-safe.
 */
public final class Pool {

    private final List<Object> objects = new ArrayList<>();

    /** Adds an object to the pool and writes the code that pushes it. */
    public void push(CodeBuilder code, Object object) {
        push(code, object, object.getClass());
    }

    /**
     * Adds an object to the pool and writes the code that pushes it as another type.
     *
     * @param visibleClass the type in the generated code, which may not be able to access the object's own class
     */
    public void push(CodeBuilder code, Object object, Class<?> visibleClass) {
        int index = objects.size();
        objects.add(object);
        ClassDesc type = ClassDescs.of(visibleClass);
        code.loadConstant(
                DynamicConstantDesc.ofNamed(ConstantDescs.BSM_CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, type, index));
    }

    /** Returns the objects that were pushed, in the order of their indexes. */
    List<Object> objects() {
        return List.copyOf(objects);
    }
}
