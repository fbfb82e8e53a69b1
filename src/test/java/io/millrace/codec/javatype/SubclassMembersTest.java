package io.millrace.codec.javatype;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.view.samples.PackageGetter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Methods of a type that subclasses replace. */
class SubclassMembersTest {

    interface Keyed<K> {
        K getId();
    }

    /** Has another method {@code getId} in bytecode, which returns an object. */
    static class Deal implements Keyed<Long> {
        @Override
        public Long getId() {
            return 1L;
        }
    }

    static class OtherDeal extends Deal {
        @Override
        public Long getId() {
            return 2L;
        }
    }

    static class OfAnotherPackage extends PackageGetter {}

    static class NotReplaced extends OfAnotherPackage {
        @SuppressWarnings("unused") // it is not the method of the package of PackageGetter
        long getId() {
            return 2;
        }
    }

    private static DeclaredType declared(Class<?> type) throws IOException {
        String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
        try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(file))) {
            return DeclaredType.of(ClassFile.of().parse(in.readAllBytes()));
        }
    }

    @Test
    void shouldIgnoreTheMethodsOfTheCompilerInAnyOrder() throws IOException {
        DeclaredType deal = declared(Deal.class);
        DeclaredType reversed = new DeclaredType(
                deal.name(),
                deal.flags(),
                deal.sealed(),
                deal.record(),
                deal.supertypes(),
                deal.fields(),
                deal.methods().reversed(),
                deal.model());
        List<DeclaredType> subclass = List.of(declared(OtherDeal.class));
        Set<String> getter = Set.of("getId()Ljava/lang/Long;");

        assertThat(new SubclassMembers(List.of(deal), getter).lost(subclass)).isEmpty();
        assertThat(new SubclassMembers(List.of(reversed), getter).lost(subclass))
                .isEmpty();
        assertThat(new SubclassMembers(List.of(deal), Set.of()).lost(subclass)).containsExactly("getId()");
    }

    @Test
    void shouldIgnoreMethodsThatTheirPackageHides() throws IOException {
        List<DeclaredType> type = List.of(declared(OfAnotherPackage.class), declared(PackageGetter.class));

        assertThat(new SubclassMembers(type, Set.of()).lost(List.of(declared(NotReplaced.class))))
                .isEmpty();
    }
}
