package io.millrace.view.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.view.BinaryRecord;
import io.millrace.view.RecordViews;
import io.millrace.view.samples.Bank;
import io.millrace.view.samples.Bank.Identified;
import io.millrace.view.samples.Bank.Priced;
import io.millrace.view.source.GeneratedSources.Generated;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Generated interfaces extend those of an application, so that the classic and the binary class implement them, as do
 * views that {@link RecordViews} generates.
 */
class SuperinterfacesTest {

    private static final String SCHEMA = """
            types:
              Party:
                fields: [ { name: id, type: decimal, scale: 2 }, { name: tag, type: bytes, length: 3 } ]
            fields:
              - { name: id, type: string, length: 9 }
              - { name: buyer, type: Party }
              - name: legs
                type: group
                repeat: 2
                fields:
                  - { name: price, type: decimal, scale: 2 }
                  - { name: quantity, type: i64 }
                  - { name: payer, type: Party }
                  - { name: steps, type: group, repeat: 2, fields: [ { name: id, type: i64 } ] }
            """;

    @TempDir
    private static Path folder;

    private static List<Generated> all = List.of();

    @BeforeAll
    static void compile() throws Exception {
        Path schemas = Files.createDirectories(folder.resolve("schemas"));
        List<String> superinterfaces = new ArrayList<>();
        String bank = Bank.class.getName() + ".";
        for (String layout : List.of("fixed", "compact")) {
            String name = layout + "-deal";
            Files.writeString(
                    schemas.resolve(name + ".yml"), "schema: " + name + "\nlayout: " + layout + "\n" + SCHEMA);
            String deal = layout.equals("fixed") ? "FixedDeal" : "CompactDeal";
            superinterfaces.add(
                    deal + "=" + bank + "Identified<java.lang.String>, " + bank + "Basket," + bank + "Copied");
            superinterfaces.add(deal + ".Leg=" + bank + "Priced," + deal + ".Leg=" + bank + "Copied");
            superinterfaces.add(deal + ".Party=" + bank + "Identified<java.math.BigDecimal>");
            superinterfaces.add(deal + ".Party=" + bank + "Copied");
        }
        all = GeneratedSources.compile(schemas, superinterfaces, folder);
    }

    private static void set(Object target, String property, Object value) throws Exception {
        for (Method method : target.getClass().getInterfaces()[0].getMethods()) {
            if (method.getName().equals("set" + property) && !method.isBridge()) {
                method.invoke(target, value);
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static <K extends Comparable<K>> Identified<K> identified(Object target, K id) {
        Identified<K> identified = (Identified<K>) target;
        identified.setId(id);
        return identified;
    }

    /** Sets values with the factory of either class. */
    private static Object deal(Generated sample, GeneratedSources.Factory factory) throws Exception {
        Object deal = factory.create();
        identified(deal, "D-1");
        List<Object> legs = new ArrayList<>();
        for (String price : List.of("1.5", "2.25")) {
            Object leg = factory.create(
                    sample.type().getClassLoader().loadClass(sample.type().getName() + "$Leg"));
            set(leg, "Price", new BigDecimal(price));
            set(leg, "Quantity", 10L);
            legs.add(leg);
        }
        set(deal, "Legs", legs);
        return deal;
    }

    private static void requireMethodsOfTheBank(Object deal) {
        assertThat(deal).isInstanceOf(Bank.Copied.class);
        assertThat(((Identified<?>) deal).getId()).isEqualTo("D-1");
        Bank.Basket basket = (Bank.Basket) deal;
        assertThat(basket.total()).isEqualByComparingTo("37.5");
        Priced leg = basket.getLegs().getFirst();
        assertThat((BigDecimal) leg.getPrice()).isEqualByComparingTo("1.5");
        assertThat(leg.getQuantity()).isEqualTo(10);
        assertThat(((Bank.Copied) leg).content()).isEqualTo("content");
    }

    @Test
    void shouldBeImplementedByBothClassesAndByViews() throws Exception {
        for (Generated each : all) {
            Object classic = deal(each, each.classic());
            Object binary = deal(each, each.binary());
            byte[] bytes = each.binary().bytes(binary);
            requireMethodsOfTheBank(classic);
            requireMethodsOfTheBank(binary);
            requireMethodsOfTheBank(each.classic().of(bytes));
            requireMethodsOfTheBank(each.binary().of(bytes));
            requireMethodsOfTheBank(each.views().of(bytes));
            assertThat(binary).isInstanceOf(BinaryRecord.class);
            assertThat(each.views().of(bytes)).isEqualTo(binary).isNotInstanceOf(BinaryRecord.class);
        }
    }

    @Test
    void shouldHaveTheMethodsOfTheBinaryClassBeforeDefaultMethods() throws Exception {
        for (Generated each : all) {
            Object binary = deal(each, each.binary());
            assertThat(((Bank.Copied) binary).isValid()).isTrue();
            assertThat(((Bank.Copied) each.classic().copy(binary)).isValid()).isFalse();
            assertThat(((Bank.Copied) each.views().create()).isValid()).isFalse();
        }
    }

    /** A getter that returns a subclass of what the bank's interface names is not a member that views would lose. */
    @Test
    void shouldCopyBetweenClassicAndBinaryRecords() throws Exception {
        for (Generated each : all) {
            Object classic = deal(each, each.classic());
            Object binary = each.binary().copy(classic);
            assertThat(each.classic().bytes(classic)).isEqualTo(each.binary().bytes(binary));
            assertThat(each.classic().copy(binary)).isEqualTo(classic).hasSameHashCodeAs(classic);
            requireMethodsOfTheBank(binary);
        }
    }

    @Test
    void shouldImplementTypeVariables() throws Exception {
        for (Generated each : all) {
            Class<?> party = each.type().getClassLoader().loadClass(each.type().getName() + "$Party");
            for (GeneratedSources.Factory factory : List.of(each.classic(), each.binary())) {
                Identified<BigDecimal> first = identified(factory.create(party), new BigDecimal("7.00"));
                Identified<BigDecimal> second = identified(factory.create(party), new BigDecimal("8.00"));
                assertThat(first.precedes(second)).isTrue();
                assertThat(second.precedes(first)).isFalse();
            }
        }
        assertThat(all).hasSize(2);
    }
}
