package io.millrace.expression.bytecode;

import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.DynamicConstantDesc;
import java.util.ArrayList;
import java.util.List;

/**
 * Objects that one generated class uses as constants. They travel as its class data, so that the JIT compiler treats
 * them as constants too.
 */
final class Pool {

    private final List<Object> objects = new ArrayList<>();

    /** Pushes an object that the class was given. */
    void push(CodeBuilder code, Object object) {
        push(code, object, object.getClass());
    }

    /** @param as what the class sees it as: the object's own class may be one that it can't see */
    void push(CodeBuilder code, Object object, Class<?> as) {
        int index = objects.size();
        objects.add(object);
        ClassDesc type = as.describeConstable().orElseThrow();
        code.loadConstant(
                DynamicConstantDesc.ofNamed(ConstantDescs.BSM_CLASS_DATA_AT, ConstantDescs.DEFAULT_NAME, type, index));
    }

    /** What was pushed, in the order of its indexes. */
    List<Object> objects() {
        return List.copyOf(objects);
    }
}
