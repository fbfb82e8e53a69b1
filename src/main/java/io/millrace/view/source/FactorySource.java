package io.millrace.view.source;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Writes the Java source of an enum that creates, copies and reads records of either generated class, so that an
 * application can switch between these. Not thread-safe.
 */
final class FactorySource {

    private final StringBuilder body = new StringBuilder();

    private FactorySource() {}

    /**
     * Returns the source of the compilation unit. The same schema always has the same source.
     *
     * @param packageName package of the enum and of the classes; empty for the unnamed one
     */
    static String of(SourceModel model, String packageName) {
        SourceType root = model.root();
        FactorySource source = new FactorySource();
        source.body.append("""
                /** Creates, copies and reads records of the schema {@code %5$s}: as objects of one class or of another. */
                public enum %1$s {
                    /** Creates plain objects: {@link %3$s}. */
                    CLASSIC,
                    /** Creates objects over the bytes of records: {@link %4$s}. */
                    BINARY;

                    /** Creates a mutable record: optional values are absent, other values are zero or empty. */
                    public %2$s create() {
                        return this == CLASSIC ? new %3$s() : %4$s.create();
                    }
                """.formatted(
                        root.factoryName(),
                        root.name(),
                        root.classicName(),
                        ClassSource.className(root),
                        model.schema().name()));
        source.parts(model);
        source.body.append(
                """

                    /** Creates a mutable copy, which shares nothing that can change. The record can be of another class. */
                    public %2$s copy(%2$s record) {
                        return this == CLASSIC ? new %3$s(record) : %4$s.edit(record);
                    }

                    /**
                     * Returns the record of these bytes. A binary record is immutable; use {@link #copy} to change it.
                     *
                     * @param record bytes of the record; a binary record contains them without a copy, so they must not be
                     *     changed afterwards
                     */
                    public %2$s of(byte[] record) {
                        %4$s binary = %4$s.of(record);
                        return this == CLASSIC ? new %3$s(binary) : binary;
                    }

                    /** Returns the bytes of a record of any class, as a new array. */
                    public byte[] bytes(%2$s record) {
                        return %4$s.VIEWS.bytes(record);
                    }
                }
                """.formatted(root.factoryName(), root.name(), root.classicName(), ClassSource.className(root)));
        return model.unit(packageName, List.of(), source.body);
    }

    private void parts(SourceModel model) {
        List<SourceType> parts = model.parts();
        Set<String> names = new HashSet<>();
        for (SourceType part : parts) {
            boolean unique = parts.stream()
                            .filter(each -> each.name().equals(part.name()))
                            .count()
                    == 1;
            String name = unique
                    ? part.name()
                    : part.path().substring(model.root().name().length()).replace(".", "");
            while (!names.add(name)) {
                name += "Part";
            }
            body.append("""

                        /** Creates a mutable part, which can be set or added to each part of this type: %1$s */
                        public %3$s create%2$s() {
                            return this == CLASSIC ? new %4$s() : %5$s.VIEWS.create(%3$s.class);
                        }
                    """.formatted(
                            part.comment().substring(0, 1).toLowerCase(Locale.ROOT)
                                    + part.comment().substring(1),
                            name,
                            part.path(),
                            part.classicPath(),
                            ClassSource.className(model.root())));
        }
    }
}
