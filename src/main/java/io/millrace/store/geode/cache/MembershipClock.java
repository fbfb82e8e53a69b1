package io.millrace.store.geode.cache;

import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The clock of Geode's membership, which never jumps. Geode compares times of heartbeats and ends of waits with the
 * wall clock: once it is set back, a coordinator waits until it has reached a time again, and admits nobody; once it
 * was ahead, the end of a member is not noticed. Its classes therefore call {@link #millis} instead. They are defined
 * here, before Geode loads them.
 *
 * <p>Thread-safe.
 */
public final class MembershipClock {

    private static final Logger LOG = LoggerFactory.getLogger(MembershipClock.class);

    private static final String PACKAGE = "org.apache.geode.distributed.internal.membership.gms.";

    /**
     * Classes of a package that read the clock.
     *
     * @param neighbor another class of the package
     */
    record Readers(String neighbor, List<String> classes) {}

    static final List<Readers> READERS = List.of(
            new Readers("GMSUtil", List.of("GMSMembership", "GMSMembership$ManagerImpl")),
            new Readers("fd.GMSHealthMonitor$TimeStamp", List.of("fd.GMSHealthMonitor", "fd.GMSHealthMonitor$Monitor")),
            new Readers(
                    "membership.GMSJoinLeave$SearchState",
                    List.of(
                            "membership.GMSJoinLeave",
                            "membership.GMSJoinLeave$ViewCreator",
                            "membership.GMSJoinLeave$ViewReplyProcessor")),
            new Readers("messenger.JGAddress", List.of("messenger.JGroupsMessenger", "messenger.GMSQuorumChecker")));

    private static final ClassDesc SYSTEM = ClassDesc.of("java.lang.System");
    private static final ClassDesc THIS =
            MembershipClock.class.describeConstable().orElseThrow();
    private static final MethodTypeDesc TIME = MethodTypeDesc.of(ConstantDescs.CD_long);

    private static final long START_MILLIS = System.currentTimeMillis();
    private static final long START_NANOS = System.nanoTime();

    static {
        define();
    }

    private MembershipClock() {}

    /** Lets the membership of this process use this clock. Must be called before Geode is started. */
    public static void use() {
        // done when this class was initialized
    }

    /** Returns the time of the start of this process plus the time since then, in milliseconds. */
    public static long millis() {
        return START_MILLIS + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - START_NANOS);
    }

    private static void define() {
        CodeTransform calls = (code, element) -> {
            if (element instanceof InvokeInstruction call
                    && call.owner().matches(SYSTEM)
                    && call.name().equalsString("currentTimeMillis")) {
                code.invokestatic(THIS, "millis", TIME);
            } else {
                code.with(element);
            }
        };
        try {
            for (Readers readers : READERS) {
                ChangedClasses.define(
                        PACKAGE, readers.neighbor(), readers.classes(), ClassTransform.transformingMethodBodies(calls));
            }
        } catch (LinkageError e) {
            LOG.warn(
                    "Geode's membership follows the clock of the machine, whose jumps can disturb the cluster: {}",
                    String.valueOf(e.getMessage()));
        }
    }
}
