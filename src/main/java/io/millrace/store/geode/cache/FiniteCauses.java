package io.millrace.store.geode.cache;

import io.millrace.background.CauseChain;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeModel;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the causes of Geode's exceptions have an end. If a disk fails, Geode makes the failure the root cause of itself,
 * and sends it to other members. Their search for its root cause does not end: a member that closes at that time, for
 * example because its disk has failed too, would neither leave the cluster nor rejoin. So {@link CauseChain#setRoot}
 * sets root causes. The class is defined here, before Geode loads it.
 */
final class FiniteCauses {

    private static final Logger LOG = LoggerFactory.getLogger(FiniteCauses.class);

    private static final String SET_ROOT = "setRootCause";
    private static final ClassDesc CAUSE_CHAIN =
            CauseChain.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc TYPE =
            MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_Throwable, ConstantDescs.CD_Throwable);

    static {
        define();
    }

    private FiniteCauses() {}

    /** Must be called before Geode is started. */
    static void use() {
        // done when this class was initialized
    }

    private static void define() {
        ClassTransform change = ClassTransform.transformingMethods(
                method -> method.methodName().equalsString(SET_ROOT), (method, element) -> {
                    if (element instanceof CodeModel) {
                        method.withCode(code -> code.aload(0)
                                .aload(1)
                                .invokestatic(CAUSE_CHAIN, "setRoot", TYPE)
                                .return_());
                    } else {
                        method.with(element);
                    }
                });
        try {
            ChangedClasses.define("org.apache.geode.internal.lang.", "SystemUtils", List.of("ThrowableUtils"), change);
        } catch (LinkageError e) {
            LOG.warn(
                    "Members of the cluster may not rejoin if their disks fail at the same time: {}",
                    String.valueOf(e.getMessage()));
        }
    }
}
