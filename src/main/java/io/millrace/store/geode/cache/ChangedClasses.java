package io.millrace.store.geode.cache;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassHierarchyResolver;
import java.lang.classfile.ClassTransform;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** Classes of Geode that are changed before Geode loads them. */
final class ChangedClasses {

    private ChangedClasses() {}

    /**
     * Defines classes of a package.
     *
     * @param packageName name of the package, with a dot at its end
     * @param neighbor another class of the package
     * @throws LinkageError if they are loaded already, or Geode has another class loader
     */
    static void define(String packageName, String neighbor, List<String> classes, ClassTransform change) {
        ClassLoader loader = ChangedClasses.class.getClassLoader();
        try {
            Class<?> loaded = Class.forName(packageName + neighbor, false, loader);
            if (!loader.equals(loaded.getClassLoader())) { // it may not find this class
                throw new LinkageError("Geode has another class loader than Millrace.");
            }
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(loaded, MethodHandles.lookup());
            ClassFile file = ClassFile.of(
                    ClassFile.ClassHierarchyResolverOption.of(ClassHierarchyResolver.ofResourceParsing(loader)));
            for (String name : classes) {
                lookup.defineClass(file.transformClass(file.parse(bytes(packageName + name, loader)), change));
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("This version of Geode has other classes.", e);
        }
    }

    private static byte[] bytes(String name, ClassLoader loader) {
        String resource = name.replace('.', '/') + ".class";
        try (InputStream in = loader.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("This version of Geode has no " + resource);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
