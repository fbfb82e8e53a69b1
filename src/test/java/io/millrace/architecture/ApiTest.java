package io.millrace.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.stream.Stream;
import org.apiguardian.api.API;

/** What the types that are marked as API expose, and what the examples use. */
@AnalyzeClasses(packages = {"io.millrace", "desk"})
class ApiTest {

    private static final DescribedPredicate<JavaClass> API_TYPES = describe("are marked as API", ApiSurface::isApi);
    private static final DescribedPredicate<JavaClass> INTERNAL_TYPES = describe(
            "are internal",
            type -> type.getPackageName().startsWith("io.millrace") && !ApiSurface.isApi(type.getBaseComponentType()));

    @ArchTest
    static final ArchRule shouldExposeNoInternalType =
            classes().that(API_TYPES).and().arePublic().should(exposeNoInternalType());

    @ArchTest
    static final ArchRule shouldMarkOnlyWhatIsPublic =
            classes().that().areAnnotatedWith(API.class).should().bePublic();

    @ArchTest
    static final ArchRule shouldBeAllThatTheExamplesUse =
            noClasses().that().resideInAPackage("desk..").should().dependOnClassesThat(INTERNAL_TYPES);

    private static ArchCondition<JavaClass> exposeNoInternalType() {
        return new ArchCondition<>("expose no internal type") {
            @Override
            public void check(JavaClass type, ConditionEvents events) {
                ofType(type).forEach(exposed -> report(type, type.getName(), exposed, events));
                ApiSurface.codeUnits(type)
                        .forEach(code -> Stream.of(
                                        Stream.of(code.getReturnType()),
                                        code.getParameterTypes().stream(),
                                        code.getExceptionTypes().stream(),
                                        code.getTypeParameters().stream())
                                .flatMap(types -> types)
                                .forEach(exposed -> report(type, code.getFullName(), exposed, events)));
                ApiSurface.fields(type).forEach(field -> report(type, field.getFullName(), field.getType(), events));
            }
        };
    }

    private static Stream<JavaType> ofType(JavaClass type) {
        return Stream.of(
                        type.getSuperclass().stream(), type.getInterfaces().stream(), type.getTypeParameters().stream())
                .flatMap(types -> types);
    }

    private static void report(JavaClass type, String where, JavaType exposed, ConditionEvents events) {
        exposed.getAllInvolvedRawTypes().stream()
                .filter(INTERNAL_TYPES)
                .forEach(internal -> events.add(SimpleConditionEvent.violated(
                        type, where + " exposes the internal type " + internal.getName())));
    }
}
