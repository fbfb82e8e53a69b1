package io.millrace.model.classfile;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.bytecode.PropertyNames;
import io.millrace.model.ModelField;
import io.millrace.view.RecordViews;
import io.millrace.view.json.RecordViewModule;
import java.beans.IntrospectionException;
import java.beans.Introspector;
import java.beans.PropertyDescriptor;
import java.io.IOException;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Imports, views, Jackson and JavaBeans find the same members, whatever their names. */
class PropertyNamesTest {

    /** Jackson 3 does not find {@code geteMail}. */
    private static final Set<String> OF_JAVA_BEANS_ONLY = Set.of("aB", "eMail");

    /** Getters for JavaBeans, but not for Jackson. */
    private static final Set<String> WORDS = Set.of("getaway", "issued");

    /** Names that Jackson and JavaBeans derive differently, and others at the edge. */
    @SuppressWarnings("unused")
    public static class Names {
        private String isin = "a";
        private String eMail = "b";
        private Boolean open = true;
        private String url = "c";
        private String aB = "d";
        private String x = "e";
        private String cUsip = "f";
        private boolean isActive = true;
        private String aWay = "g";
        private int a1 = 7;

        public String getISIN() {
            return isin;
        }

        public void setISIN(String isin) {
            this.isin = isin;
        }

        public String geteMail() {
            return eMail;
        }

        public void seteMail(String eMail) {
            this.eMail = eMail;
        }

        public Boolean isOpen() {
            return open;
        }

        public void setOpen(Boolean open) {
            this.open = open;
        }

        public String getURL() {
            return url;
        }

        public Names setURL(String url) {
            this.url = url;
            return this;
        }

        public String getaB() {
            return aB;
        }

        public void setaB(String aB) {
            this.aB = aB;
        }

        public String getX() {
            return x;
        }

        public void setX(String x) {
            this.x = x;
        }

        public String getCUsip() {
            return cUsip;
        }

        public void setCUsip(String cUsip) {
            this.cUsip = cUsip;
        }

        public boolean isActive() {
            return isActive;
        }

        public void setActive(boolean active) {
            this.isActive = active;
        }

        public String getaway() {
            return aWay;
        }

        public boolean issued() {
            return isActive();
        }

        public int getA1() {
            return a1;
        }

        public void setA1(int a1) {
            this.a1 = a1;
        }

        public String get() {
            return "get";
        }

        public boolean is() {
            return true;
        }

        public void set(String text) {}

        public String isText() {
            return "text";
        }
    }

    private static ClassImport.Result read(Class<?> type) throws IOException {
        Set<String> allowed = type == Names.class ? Set.of("getaway") : Set.of();
        return ClassImport.read(
                "t", type.getName(), ClassImportTest.classPath(), new ClassImport.Options(Set.of(), 0, allowed, false));
    }

    private static Set<String> imported(Class<?> type) throws IOException {
        return read(type).schema().fields().stream()
                .map(ModelField::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldImportTheMembersOfJacksonUnderItsNames() throws IOException {
        Set<String> names = new TreeSet<>(
                JsonMapper.shared().<JsonNode>valueToTree(new Names()).propertyNames());
        names.addAll(OF_JAVA_BEANS_ONLY);
        assertThat(imported(Names.class)).isEqualTo(names);
        assertThat(read(Names.class).notes()).contains("The builder of RecordViews needs allowFieldUse(\"getaway\").");
    }

    @Test
    void shouldReadAndWriteTheMembersOfJackson() throws IOException {
        JsonMapper mapper = JsonMapper.shared();
        RecordViews<Names> views = RecordViews.builder(
                        Names.class, ClassImportTest.schema(read(Names.class).schema()))
                .allowFieldUse("getaway")
                .build();
        Names names = new Names();
        names.setISIN("DE0001102309");
        names.seteMail("a@b");
        names.setOpen(false);
        names.setURL("u");
        names.setaB("ab");
        names.setX("y");
        names.setCUsip("037833100");
        names.setActive(false);
        names.setA1(-1);
        Names view = views.edit(names);
        JsonMapper viewMapper =
                JsonMapper.builder().addModule(new RecordViewModule(views)).build();
        ObjectNode ofView = (ObjectNode) mapper.readTree(viewMapper.writeValueAsString(views.view(names)));
        ofView.remove(OF_JAVA_BEANS_ONLY);
        assertThat(ofView).isEqualTo(mapper.readTree(mapper.writeValueAsString(names)));
        assertThat(view.getISIN()).isEqualTo("DE0001102309");
        view.setISIN("XS");
        view.setURL("other");
        view.setaB("c");
        assertThat(view.getISIN() + view.getURL() + view.getaB() + view.isOpen())
                .isEqualTo("XSothercfalse");
    }

    /** The names of JavaBeans are among those by which views find a member. */
    @Test
    void shouldKnowTheNamesOfJavaBeans() throws IntrospectionException {
        for (PropertyDescriptor property :
                Introspector.getBeanInfo(Names.class, Object.class).getPropertyDescriptors()) {
            Stream.of(property.getReadMethod(), property.getWriteMethod())
                    .filter(method -> method != null && !WORDS.contains(method.getName()))
                    .forEach(method -> assertThat(names(method)).contains(property.getName()));
        }
        Set<String> accessors = Arrays.stream(Names.class.getDeclaredMethods())
                .filter(method -> names(method).isEmpty())
                .map(Method::getName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(accessors).containsExactly("get", "getaway", "is", "isText", "issued", "set");
    }

    private static List<String> names(Method method) {
        return PropertyNames.of(
                method.getName(),
                MethodType.methodType(method.getReturnType(), method.getParameterTypes())
                        .descriptorString());
    }

    /** An interface whose methods may have the names of the members. */
    public interface Plain {
        boolean issued();

        String getaway();

        String getISIN();

        @Nullable
        Boolean isOpen();

        long id();
    }

    @Test
    void shouldKeepWordsThatOnlyStartLikeGettersOfInterfaces() throws IOException {
        assertThat(imported(Plain.class)).containsExactly("ISIN", "getaway", "id", "issued", "open");
        RecordViews<Plain> views = RecordViews.of(
                Plain.class, ClassImportTest.schema(read(Plain.class).schema()));
        assertThat(views.create().id()).isZero();
    }
}
