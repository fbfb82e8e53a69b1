package io.millrace.store.geode.guard;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Has Geode maintain the membership with {@link GuardedTransport} and {@link BoundedUnicast}. Geode reads the names of
 * the protocols from a resource, of the context class loader first: while it starts, this class loader has another one.
 */
public final class MembershipStack extends ClassLoader {

    /** Starts Geode. */
    public interface Starting<T> {
        T start() throws IOException;
    }

    private static final String RESOURCE =
            "org/apache/geode/distributed/internal/membership/gms/messenger/jgroups-config.xml";
    private static final String TRANSPORT = "<org.apache.geode.distributed.internal.membership.gms.messenger.Transport";
    private static final String UNICAST = "<UNICAST3";

    private final byte[] stack;

    private MembershipStack(@Nullable ClassLoader parent, boolean encrypted) {
        super(parent);
        stack = stack(encrypted).getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * Starts Geode in this thread.
     *
     * @param encrypted whether members encrypt their messages
     * @throws IOException if it can't be started
     */
    public static <T> T use(boolean encrypted, Starting<T> starting) throws IOException {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(new MembershipStack(before, encrypted));
        try {
            return starting.start();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Returns Geode's own stack, with both protocols replaced. */
    private static String stack(boolean encrypted) {
        try (InputStream in = MembershipStack.class.getClassLoader().getResourceAsStream(RESOURCE)) {
            String stack = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            if (!stack.contains(TRANSPORT) || !stack.contains(UNICAST)) {
                throw new IllegalStateException("This version of Geode has another stack of protocols.");
            }
            return stack.replace(TRANSPORT, "<" + GuardedTransport.class.getName() + " encrypted=\"" + encrypted + "\"")
                    .replace(UNICAST, "<" + BoundedUnicast.class.getName());
        } catch (IOException e) {
            throw new IllegalStateException("Geode's stack of protocols can't be read.", e);
        }
    }

    @Override
    public @Nullable InputStream getResourceAsStream(String name) {
        return name.equals(RESOURCE) ? new ByteArrayInputStream(stack) : super.getResourceAsStream(name);
    }
}
