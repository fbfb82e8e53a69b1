package io.millrace.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoException;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.millrace.view.BeanPayment.Account;
import java.util.List;
import java.util.Objects;
import org.apache.commons.beanutils.PropertyUtils;
import org.apache.fory.Fory;
import org.apache.fory.config.Language;
import org.apache.fory.exception.SerializationException;
import org.assertj.core.api.recursive.comparison.ComparingProperties;
import org.assertj.core.api.recursive.comparison.RecursiveComparisonConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.objenesis.strategy.StdInstantiatorStrategy;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.BeanUtils;
import org.springframework.beans.BeanWrapper;
import org.springframework.beans.DirectFieldAccessor;
import org.springframework.beans.NotReadablePropertyException;
import org.springframework.beans.PropertyAccessorFactory;
import org.springframework.util.ClassUtils;
import org.springframework.util.SerializationUtils;
import trades.Trade;

/** Views with tools that inspect, wrap, copy, store or serialize objects. */
class ViewFrameworksTest {

    private static final RecordViews<BeanPayment> BEANS = RecordViews.of(BeanPayment.class, Payments.SCHEMA);
    private static final RecordViews<Order> ORDERS = RecordViews.of(Order.class, Orders.COMPACT);

    private static BeanPayment bean() {
        return BEANS.view(Payments.valid());
    }

    private static Order order() {
        return ORDERS.view(Orders.fill(ORDERS.create(), 8));
    }

    static List<Object> views() {
        return List.of(bean(), order());
    }

    @Test
    @FrameworkSupport(
            tool = "Spring `BeanWrapper`, `BeanUtils`, data binding",
            works = "read and set nested properties; copy to and from objects",
            otherwise = "To set properties, use a mutable view: setters of immutable ones throw")
    void shouldBindPropertiesByAccessors() {
        BeanWrapper wrapper = PropertyAccessorFactory.forBeanPropertyAccess(bean());
        assertThat(wrapper.getPropertyValue("payer.name")).isEqualTo("Ann");
        assertThat(wrapper.getPropertyValue("others[0].name")).isEqualTo("Bob");
        assertThatExceptionOfType(Exception.class)
                .isThrownBy(() -> wrapper.setPropertyValue("id", 5))
                .withMessageContaining("is immutable. Use edit() of its RecordViews to get a mutable copy.");

        BeanPayment mutable = BEANS.edit(bean());
        PropertyAccessorFactory.forBeanPropertyAccess(mutable).setPropertyValue("id", "5");
        assertThat(mutable.getId()).isEqualTo(5);

        BeanPayment copy = new BeanPayment();
        BeanUtils.copyProperties(bean(), copy);
        assertThat(BEANS.view(copy)).isEqualTo(bean());
    }

    @Test
    @FrameworkSupport(
            tool = "Spring `DirectFieldAccessor`",
            works = "",
            otherwise = "Views of an interface have no such fields: error. Of a class, it reads and sets unused fields,"
                    + " which have what the constructor sets, or false if the field has constraints. Use `BeanWrapper`")
    void shouldHaveNoValuesInFields() {
        assertThatExceptionOfType(NotReadablePropertyException.class)
                .isThrownBy(() -> new DirectFieldAccessor(order()).getPropertyValue("id"));
        assertThat(new DirectFieldAccessor(bean()).getPropertyValue("id"))
                .as("a field with constraints")
                .isEqualTo(false);
        Trade trade = TradeViews.of("compact").create();
        trade.setId(7);
        assertThat(new DirectFieldAccessor(trade).getPropertyValue("id")).isEqualTo(0L);
    }

    @Test
    @FrameworkSupport(
            tool = "Commons BeanUtils `PropertyUtils`",
            works = "reads properties of views of public types, and copies them")
    void shouldBeReadByCommonsBeanUtils() throws ReflectiveOperationException {
        assertThat(PropertyUtils.getProperty(bean(), "payer.name")).isEqualTo("Ann");
        assertThat(PropertyUtils.getProperty(order(), "quantity")).isEqualTo(9);
        BeanPayment copy = new BeanPayment();
        PropertyUtils.copyProperties(copy, bean());
        assertThat(BEANS.view(copy)).isEqualTo(bean());
    }

    @Test
    @FrameworkSupport(
            tool = "AssertJ `isEqualTo`, `extracting`, `hasFieldOrPropertyWithValue`",
            works = "as for objects: by `equals` and getters")
    void shouldBeComparedByAssertJ() {
        assertThat(bean()).isEqualTo(bean()).hasFieldOrPropertyWithValue("currency", "EUR");
        assertThat(List.of(bean())).extracting("id", "payer.name").containsExactly(tuple(7L, "Ann"));
    }

    @Test
    @FrameworkSupport(
            tool = "AssertJ `usingRecursiveComparison`",
            works = "compares views with views and with objects, if it uses `ComparingProperties`",
            otherwise = "By default, it compares the fields of views too, and fails for a view and an object of equal"
                    + " content")
    void shouldBeComparedRecursivelyByProperties() {
        RecursiveComparisonConfiguration byProperties = RecursiveComparisonConfiguration.builder()
                .withIntrospectionStrategy(new ComparingProperties())
                .build();
        BeanPayment object = Payments.valid();
        assertThat(bean()).usingRecursiveComparison(byProperties).isEqualTo(object);
        assertThat(object).usingRecursiveComparison(byProperties).isEqualTo(bean());
        assertThat(order()).usingRecursiveComparison(byProperties).isEqualTo(order());
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(BEANS.view(Payments.invalid()))
                        .usingRecursiveComparison(byProperties)
                        .isEqualTo(object));

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> assertThat(bean()).usingRecursiveComparison().isEqualTo(object));
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(
                        () -> assertThat(bean()).usingRecursiveComparison().isEqualTo(BEANS.view(Payments.invalid())));
    }

    @Test
    @FrameworkSupport(
            tool = "Spring AOP: JDK proxies",
            works = "proxies of views of an interface; `RecordViews` reads the view behind it")
    void shouldBeProxiedByInterfaces() {
        Order proxy = (Order) new ProxyFactory(order()).getProxy();
        assertThat(proxy.getParty().getName()).isEqualTo("name8");
        assertThat(ORDERS.bytes(proxy)).isEqualTo(ORDERS.bytes(order()));
        assertThat(order()).isEqualTo(proxy);
    }

    @Test
    @FrameworkSupport(
            tool = "Spring AOP: CGLIB proxies",
            works = "proxies of a view of a class",
            otherwise = "`RecordViews` reads a proxy by its getters, as any object")
    void shouldBeTargetsOfProxiesOfTheirClass() {
        ProxyFactory ofView = new ProxyFactory(bean());
        ofView.setProxyTargetClass(true);
        BeanPayment proxy = (BeanPayment) ofView.getProxy();
        assertThat(proxy.getCurrency()).isEqualTo("EUR");
        assertThat(BEANS.bytes(proxy)).isEqualTo(BEANS.bytes(bean()));
        assertThat(ClassUtils.getUserClass(bean())).isEqualTo(BeanPayment.class);
    }

    @ParameterizedTest
    @MethodSource("views")
    @FrameworkSupport(
            tool = "Java serialization",
            works = "views of whole records, with the fingerprint of their schema",
            otherwise = "Views of parts are refused. Serialize the record")
    @SuppressWarnings("deprecation") // for bytes of others
    void shouldBeSerializedByJava(Object view) {
        assertThat(SerializationUtils.deserialize(SerializationUtils.serialize(view)))
                .isEqualTo(view);
        Account part = bean().getOthers().get(0);
        assertThatExceptionOfType(UnsupportedOperationException.class)
                .isThrownBy(() -> SerializationUtils.serialize(part))
                .withMessageContaining("Serialize the view of the record.");
    }

    @ParameterizedTest
    @MethodSource("views")
    @FrameworkSupport(
            tool = "Kryo",
            works = "with `register(view.getClass(), new JavaSerializer())`",
            otherwise = "Refused with the default serializers, as is `copy`. With an instantiator strategy, both work"
                    + " by the fields of the view. Write `views.bytes(view)` for the smallest form")
    void shouldBeSerializedByKryo(Object view) {
        assertThatExceptionOfType(IllegalArgumentException.class)
                .isThrownBy(() -> new Kryo().writeClassAndObject(new Output(64, -1), view));
        Kryo open = new Kryo();
        open.setRegistrationRequired(false);
        Output fields = new Output(64, -1);
        open.writeClassAndObject(fields, view);
        assertThatExceptionOfType(KryoException.class)
                .isThrownBy(() -> open.readClassAndObject(new Input(fields.toBytes())))
                .withMessageContaining("missing no-arg constructor");
        assertThatExceptionOfType(KryoException.class).isThrownBy(() -> open.copy(view));
        open.setInstantiatorStrategy(new StdInstantiatorStrategy());
        assertThat(open.readClassAndObject(new Input(fields.toBytes()))).isEqualTo(view);
        assertThat(open.copy(view)).isEqualTo(view).isNotSameAs(view);

        Output out = new Output(64, -1);
        kryo(view.getClass()).writeClassAndObject(out, view);
        assertThat(kryo(view.getClass()).readClassAndObject(new Input(out.toBytes())))
                .isEqualTo(view);
    }

    private static Kryo kryo(Class<?> viewClass) {
        Kryo kryo = new Kryo();
        kryo.register(viewClass, new JavaSerializer());
        return kryo;
    }

    @ParameterizedTest
    @MethodSource("views")
    @FrameworkSupport(
            tool = "Apache Fory",
            works =
                    "views of whole records, in the form of Java serialization, and `copy`. `views.bytes(view)` is smaller",
            otherwise =
                    "Views of parts are refused, as are those of a [hidden class](#constructors-fields-and-methods), which Fory takes"
                            + " for a lambda expression. Do not call `copy` with these: Fory 0.16 ends the JVM")
    void shouldBeSerializedByFory(Object view) {
        byte[] bytes = fory().serialize(view);
        Object read = fory().deserialize(bytes);
        assertThat(read).isEqualTo(view).hasSameClassAs(view);
        assertThat(fory().copy(view)).isEqualTo(view).isNotSameAs(view);
        Account part = bean().getOthers().get(0);
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> fory().serialize(part))
                .withMessageContaining("Serialize the view of the record.");
    }

    private static Fory fory() {
        return Fory.builder()
                .withLanguage(Language.JAVA)
                .withRefCopy(true)
                .requireClassRegistration(false)
                .build();
    }

    @ParameterizedTest
    @MethodSource("views")
    @FrameworkSupport(
            tool = "Caffeine",
            works = "immutable views as keys and values",
            otherwise = "With `weakKeys`, keys are compared by identity, as all objects")
    @SuppressWarnings("deprecation") // for bytes of others
    void shouldBeKeysAndValuesOfCaffeine(Object view) {
        Cache<Object, Object> cache = Caffeine.newBuilder().maximumSize(10).build();
        cache.put(view, view);
        Object equal = SerializationUtils.deserialize(SerializationUtils.serialize(view));
        assertThat(cache.getIfPresent(Objects.requireNonNull(equal))).isSameAs(view);
        assertThat(cache.getIfPresent(BEANS.view(Payments.invalid()))).isNull();
    }
}
