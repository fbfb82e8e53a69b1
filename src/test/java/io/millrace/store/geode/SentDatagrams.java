package io.millrace.store.geode;

import static net.bytebuddy.matcher.ElementMatchers.named;
import static net.bytebuddy.matcher.ElementMatchers.takesArguments;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import net.bytebuddy.agent.ByteBuddyAgent;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.asm.Advice;

/** The datagrams that a member in this process sends to others, as they leave JGroups. Thread-safe. */
public final class SentDatagrams {

    private static final ByteArrayOutputStream SENT = new ByteArrayOutputStream();

    private SentDatagrams() {}

    /** Begins to record. */
    static void record() {
        new AgentBuilder.Default()
                .with(AgentBuilder.RedefinitionStrategy.RETRANSFORMATION)
                .disableClassFormatChanges()
                .type(named("org.jgroups.protocols.UDP"))
                .transform((type, _, _, _, _) ->
                        type.visit(Advice.to(Sending.class).on(named("_send").and(takesArguments(6)))))
                .installOn(ByteBuddyAgent.install());
    }

    /** Called by the code that is added. */
    public static synchronized void add(byte[] bytes, int offset, int length) {
        SENT.write(bytes, offset, length);
    }

    /** Returns the bytes sent so far, one character each. */
    static synchronized String text() {
        return SENT.toString(StandardCharsets.ISO_8859_1);
    }

    static final class Sending {

        @Advice.OnMethodEnter
        static void enter(
                @Advice.Argument(3) byte[] bytes, @Advice.Argument(4) int offset, @Advice.Argument(5) int length) {
            SentDatagrams.add(bytes, offset, length);
        }
    }
}
