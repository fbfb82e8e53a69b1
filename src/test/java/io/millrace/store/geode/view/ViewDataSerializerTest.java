package io.millrace.store.geode.view;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.FrameworkSupport;
import io.millrace.view.Orders;
import io.millrace.view.OwnTypeLoader;
import io.millrace.view.RecordViews;
import io.millrace.view.SerializedView;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.apache.geode.DataSerializer;
import org.apache.geode.SerializationException;
import org.apache.geode.cache.Cache;
import org.apache.geode.cache.CacheFactory;
import org.apache.geode.cache.Region;
import org.apache.geode.cache.RegionShortcut;
import org.apache.geode.cache.client.Pool;
import org.apache.geode.cache.client.PoolManager;
import org.apache.geode.cache.query.QueryService;
import org.apache.geode.cache.server.CacheServer;
import org.apache.geode.pdx.PdxInstance;
import org.apache.geode.pdx.ReflectionBasedAutoSerializer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Views as values of a region of an embedded Geode, which stores values as bytes. */
class ViewDataSerializerTest {

    /** Fingerprint, whether it is mutable, and length. */
    private static final int HEAD = 8 + 1 + 4;
    /** Geode's mark of a serializer, and its number. */
    private static final int GEODE_HEAD = 1 + 2;

    /** A quote. */
    public interface Quote {
        long getId();

        void setId(long id);

        String getName();

        void setName(String name);
    }

    private static final String ID = "{ name: id, type: i64 }";
    private static final RecordViews<Quote> FIXED = views("fixed");
    private static final RecordViews<Quote> COMPACT = views("compact");

    @BeforeAll
    static void register() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ViewDataSerializer.register(FIXED, views("fixed")))
                .withMessageEndingWith("have the same schema. Register one of them.");
        ViewDataSerializer.register(FIXED, COMPACT);
        assertThatIllegalStateException().isThrownBy(() -> ViewDataSerializer.register(FIXED));
    }

    static RecordViews<Quote> views(String layout) {
        return views(layout, ID);
    }

    static RecordViews<Quote> views(String layout, String id) {
        return RecordViews.of(Quote.class, schema(layout, id));
    }

    private static Schema schema(String layout, String id) {
        String text = """
            schema: quotes
            layout: %s
            fields:
              - %s
              - { name: name, type: string, length: 20 }
            """.formatted(layout, id);
        return SchemaReader.read("quotes.yml", text.getBytes(StandardCharsets.UTF_8));
    }

    static Quote quote(RecordViews<Quote> views, long id) {
        Quote quote = views.create();
        quote.setId(id);
        quote.setName("name " + id);
        return quote;
    }

    /** Runs queries in the process, and as a client over a connection. */
    private static void requireQueries(Cache cache, Region<Long, Quote> region) throws Exception {
        region.put(9L, COMPACT.view(quote(COMPACT, 9)));
        CacheServer server = cache.addCacheServer();
        server.setPort(0);
        server.start();
        Pool pool = PoolManager.createFactory()
                .addServer("localhost", server.getPort())
                .create("client");
        for (QueryService queries : List.of(cache.getQueryService(), pool.getQueryService())) {
            assertThat((Iterable<?>) queries.newQuery("select q from /quotes q where q.id > 5L and q.name like 'name%'")
                            .execute())
                    .singleElement()
                    .isEqualTo(region.get(9L));
            assertThat((Iterable<?>) queries.newQuery("select distinct q.name from /quotes q where q.getId() = 5L")
                            .execute())
                    .singleElement()
                    .isEqualTo("name 5");
        }
    }

    private static int serializedLength(Object value) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        DataSerializer.writeObject(value, new DataOutputStream(out));
        return out.size();
    }

    /** Such as another order of names, or another scale of a decimal. */
    @Test
    void shouldRefuseViewsOfAnotherSchema() throws IOException {
        RecordViews<Quote> others = views("compact", "{ name: id, type: i32 }");
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        assertThat(SerializedView.write(others.view(quote(others, 7)), new DataOutputStream(out)))
                .isTrue();
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(() -> new ViewDataSerializer()
                        .fromData(new DataInputStream(new ByteArrayInputStream(out.toByteArray()))))
                .withMessageMatching("Unknown views of a schema with fingerprint [0-9a-f]+\\. Register them with"
                        + " ViewDataSerializer\\.");
    }

    /** A class with a field, which Geode would write. */
    public static class Price {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @FrameworkSupport(
            tool = "Apache Geode: PDX by `ReflectionBasedAutoSerializer`",
            works = "views that match its pattern are stored by `ViewDataSerializer` or by Java serialization, with"
                    + " all values",
            otherwise = "Views are never PDX instances, also with `read-serialized`. Without"
                    + " `ViewDataSerializer.register`, Geode logs a warning for each class of views")
    void shouldNotStoreViewsAsPdx(boolean readSerialized) throws Exception {
        RecordViews<Price> prices = RecordViews.of(Price.class, Orders.schema("compact", "  - " + ID + "\n"));
        Price price = prices.create();
        price.setId(5);
        try (Cache cache = new CacheFactory()
                .set("mcast-port", "0")
                .set("locators", "")
                .set("log-level", "error")
                .setPdxSerializer(new ReflectionBasedAutoSerializer("io\\.millrace\\..*"))
                .setPdxReadSerialized(readSerialized)
                .create()) {
            Region<String, Object> region = cache.<String, Object>createRegionFactory(RegionShortcut.PARTITION)
                    .create("values");
            region.put("object", new Price());
            assertThat(region.get("object") instanceof PdxInstance).isEqualTo(readSerialized);
            Quote quote = quote(COMPACT, 5);
            for (Object view : List.of(quote, COMPACT.view(quote), price, prices.view(price))) {
                region.put("view", view);
                assertThat(region.get("view")).isEqualTo(view).isNotSameAs(view).hasSameClassAs(view);
                assertThat((Iterable<?>) cache.getQueryService()
                                .newQuery("select v.id from /values v where v.id = 5L")
                                .execute())
                        .singleElement()
                        .isEqualTo(5L);
            }
            assertThat(serializedLength(quote)).isEqualTo(GEODE_HEAD + HEAD + COMPACT.bytes(quote).length);
        }
    }

    /** Geode finds a serializer by the name of the class. */
    @Test
    void shouldRefuseViewsOfAnotherClassLoader() throws Exception {
        Class<?> other = new OwnTypeLoader(Quote.class).loadClass(Quote.class.getName());
        Object view = RecordViews.of(other, schema("compact", ID)).create();
        assertThat(view.getClass().getName())
                .isEqualTo(COMPACT.create().getClass().getName());
        assertThatExceptionOfType(SerializationException.class)
                .isThrownBy(
                        () -> new ViewDataSerializer().toData(view, new DataOutputStream(new ByteArrayOutputStream())))
                .withMessage("Unable to store a view of " + Quote.class.getName() + ": it is of another class loader"
                        + " than the views that ViewDataSerializer has. Use the registered views.");
    }

    @Test
    @FrameworkSupport(
            tool = "Apache Geode: regions and OQL in the process",
            works = "queries call the getters",
            otherwise = "Without `ViewDataSerializer.register`, Geode stores views by Java serialization")
    void shouldStoreViewsAsFingerprintAndBytes() throws Exception {
        try (Cache cache = new CacheFactory()
                .set("mcast-port", "0")
                .set("locators", "")
                .set("log-level", "error")
                .create()) {
            // Values of a partitioned region are serialized by put, and deserialized by get.
            Region<Long, Quote> region = cache.<Long, Quote>createRegionFactory(RegionShortcut.PARTITION)
                    .create("quotes");
            long key = 0;
            for (RecordViews<Quote> views : List.of(FIXED, COMPACT)) {
                Quote mutable = quote(views, 5);
                for (Quote quote : List.of(mutable, views.view(mutable))) {
                    region.put(++key, quote);
                    Quote stored = Objects.requireNonNull(region.get(key));
                    assertThat(stored).isEqualTo(quote).isNotSameAs(quote).hasSameClassAs(quote);
                    assertThat(stored.getName()).isEqualTo("name 5");
                    assertThat(serializedLength(quote)).isEqualTo(GEODE_HEAD + HEAD + views.bytes(quote).length);
                }
            }
            requireQueries(cache, region);
        }
    }
}
