package io.millrace.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apiguardian.api.API;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;

/**
 * The types that applications may use: those that are marked with {@link API}, and the types within them. Members that
 * are marked as internal do not count.
 */
public final class ApiSurface {

    private ApiSurface() {}

    /** Returns whether the type or one that encloses it is marked. */
    static boolean isApi(JavaClass type) {
        return type.isAnnotatedWith(API.class)
                || type.getEnclosingClass().map(ApiSurface::isApi).orElse(false);
    }

    /** Returns the methods and constructors that the type offers. */
    static Stream<JavaCodeUnit> codeUnits(JavaClass type) {
        return type.getCodeUnits().stream().filter(ApiSurface::isOffered);
    }

    /** Returns the fields that the type offers. */
    static Stream<JavaField> fields(JavaClass type) {
        return type.getFields().stream().filter(ApiSurface::isOffered);
    }

    private static boolean isOffered(JavaMember member) {
        return (member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED))
                && !member.getModifiers().contains(JavaModifier.SYNTHETIC)
                && !isInternal(member);
    }

    private static boolean isInternal(JavaMember member) {
        return member.tryGetAnnotationOfType(API.class)
                .map(mark -> mark.status() == API.Status.INTERNAL)
                .orElse(false);
    }

    /** Returns the marked types, by name. */
    public static List<Class<?>> types() {
        return Marked.TYPES;
    }

    /** Searches all classes of the project once, and only where the marked types are needed. */
    private static final class Marked {

        static final List<Class<?>> TYPES = find();

        private static List<Class<?>> find() {
            ClassPathScanningCandidateComponentProvider classes =
                    new ClassPathScanningCandidateComponentProvider(false) {
                        @Override
                        protected boolean isCandidateComponent(AnnotatedBeanDefinition type) {
                            return true; // interfaces and nested types too
                        }
                    };
            classes.addIncludeFilter(new AnnotationTypeFilter(API.class, false));
            return classes.findCandidateComponents("io.millrace").stream()
                    .map(BeanDefinition::getBeanClassName)
                    .sorted()
                    .<Class<?>>map(name -> ClassUtils.resolveClassName(Objects.requireNonNull(name), null))
                    .toList();
        }
    }

    /** Returns a text of all that the types offer: a line for each type, followed by one for each member. */
    static String signatures() {
        return types().stream()
                .flatMap(ApiSurface::withNested)
                .map(ApiSurface::signatures)
                .collect(Collectors.joining("\n"));
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        Stream<Class<?>> nested = Arrays.stream(type.getDeclaredClasses())
                .filter(ApiSurface::isVisible)
                .sorted((one, other) -> one.getName().compareTo(other.getName()));
        return Stream.concat(Stream.of(type), nested.flatMap(ApiSurface::withNested));
    }

    private static boolean isVisible(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) || Modifier.isProtected(type.getModifiers());
    }

    private static String signatures(Class<?> type) {
        Stream<String> members = Stream.of(
                        Arrays.stream(type.getDeclaredFields())
                                .filter(ApiSurface::isOffered)
                                .map(Field::toGenericString),
                        Arrays.stream(type.getDeclaredConstructors())
                                .filter(ApiSurface::isOffered)
                                .map(Constructor::toGenericString),
                        Arrays.stream(type.getDeclaredMethods())
                                .filter(ApiSurface::isOffered)
                                .map(Method::toGenericString))
                .flatMap(kind -> kind.sorted())
                .map(member -> "  " + member.replace(type.getTypeName() + ".", ""));
        return type.toGenericString() + supertypes(type) + "\n"
                + members.map(member -> member + "\n").collect(Collectors.joining());
    }

    private static String supertypes(Class<?> type) {
        Type superclass = type.getGenericSuperclass();
        boolean shown =
                superclass != null && superclass != Object.class && superclass != Record.class && !type.isEnum();
        return (shown ? " extends " + superclass.getTypeName() : "")
                + Arrays.stream(type.getGenericInterfaces())
                        .map(Type::getTypeName)
                        .map(name -> " implements " + name)
                        .collect(Collectors.joining());
    }

    private static <M extends AnnotatedElement & Member> boolean isOffered(M member) {
        @Nullable API mark = member.getAnnotation(API.class);
        return (Modifier.isPublic(member.getModifiers()) || Modifier.isProtected(member.getModifiers()))
                && !member.isSynthetic()
                && (mark == null || mark.status() != API.Status.INTERNAL);
    }
}
