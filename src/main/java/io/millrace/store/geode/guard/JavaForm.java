package io.millrace.store.geode.guard;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectStreamClass;

/**
 * Checks that an object of Java serialization is complete, without creating it: its classes are not looked up, so the
 * JDK skips its fields. Geode's own input returns 0 instead of -1 at its end, and the JDK then tries to read again
 * without end. Stateless.
 */
final class JavaForm {

    private static final int MAX_DEPTH = 20;

    private JavaForm() {}

    /**
     * Checks an object that ends with the bytes.
     *
     * @param offset of its first byte
     */
    static void check(byte[] bytes, int offset) throws RefusedInputException {
        int length = bytes.length - offset;
        try (ObjectInputStream in = new Unresolved(new ByteArrayInputStream(bytes, offset, length))) {
            in.setObjectInputFilter(
                    next -> next.depth() > MAX_DEPTH || next.references() > length || next.arrayLength() > length
                            ? ObjectInputFilter.Status.REJECTED
                            : ObjectInputFilter.Status.UNDECIDED);
            var _ = in.readObject();
        } catch (ClassNotFoundException e) {
            // It is complete.
        } catch (IOException | RuntimeException e) {
            throw new RefusedInputException("Object of Java serialization that can't be read: " + e.getMessage());
        }
    }

    private static final class Unresolved extends ObjectInputStream {

        private Unresolved(ByteArrayInputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description) throws ClassNotFoundException {
            String name = description.getName();
            if (name.startsWith("[") && name.lastIndexOf('[') == name.length() - 2) {
                return Class.forName(name); // of numbers, which have no class of their own in the stream
            }
            throw new ClassNotFoundException(name);
        }

        @Override
        protected Class<?> resolveProxyClass(String[] interfaces) throws ClassNotFoundException {
            throw new ClassNotFoundException("proxy");
        }
    }
}
