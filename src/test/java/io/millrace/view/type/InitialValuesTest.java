package io.millrace.view.type;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.codec.FieldValueException;
import io.millrace.schema.Schema;
import io.millrace.view.Orders;
import io.millrace.view.RecordViews;
import io.millrace.view.json.RecordViewModule;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Values that constructors of classes set: new views have them too. */
class InitialValuesTest {

    private static final Schema SCHEMA = Orders.schema("compact", """
              - { name: id, type: string, length: 36 }
              - { name: status, type: string, length: 10, optional: true }
              - { name: count, type: i32, min: 1, max: 9 }
              - { name: limit, type: i32, optional: true }
              - { name: active, type: boolean }
              - { name: price, type: decimal, scale: 2, optional: true }
              - name: party
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 12, optional: true }
                  - { name: country, type: string, length: 2, optional: true }
              - name: legs
                type: group
                repeat: many
                fields:
                  - { name: side, type: string, length: 4, optional: true }
              - { name: marks, type: i32, repeat: many }
            """);

    /** What most of the fields of all objects begin with. */
    public static class Base {
        private UUID id = UUID.randomUUID();
        private @Nullable String status;

        public Base() {
            setStatus("NEW");
        }

        public UUID getId() {
            return id;
        }

        public void setId(UUID id) {
            this.id = id;
        }

        public @Nullable String getStatus() {
            return status;
        }

        public void setStatus(@Nullable String status) {
            this.status = status;
        }
    }

    public static class Order extends Base {
        private int count;
        private Integer limit = 0;
        private boolean active = true;
        private BigDecimal price = new BigDecimal("1.50");
        private Party party = new Party();
        private List<Leg> legs = new ArrayList<>(List.of(new Leg()));
        private List<Integer> marks = new ArrayList<>();

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }

        public Integer getLimit() {
            return limit;
        }

        public void setLimit(Integer limit) {
            this.limit = limit;
        }

        public boolean isActive() {
            return active;
        }

        public void setActive(boolean active) {
            this.active = active;
        }

        public BigDecimal getPrice() {
            return price;
        }

        public void setPrice(BigDecimal price) {
            this.price = price;
        }

        public Party getParty() {
            return party;
        }

        public void setParty(Party party) {
            this.party = party;
        }

        public List<Leg> getLegs() {
            return legs;
        }

        public void setLegs(List<Leg> legs) {
            this.legs = legs;
        }

        public List<Integer> getMarks() {
            return marks;
        }

        public void setMarks(List<Integer> marks) {
            this.marks = marks;
        }
    }

    public static class Party {
        private @Nullable String name;
        private String country = "DE";

        public @Nullable String getName() {
            return name;
        }

        public void setName(@Nullable String name) {
            this.name = name;
        }

        public String getCountry() {
            return country;
        }

        public void setCountry(String country) {
            this.country = country;
        }
    }

    public static class Leg {
        private String side = "Buy";

        public String getSide() {
            return side;
        }

        public void setSide(String side) {
            this.side = side;
        }
    }

    private final RecordViews<Order> views = RecordViews.of(Order.class, SCHEMA);

    @Test
    void shouldSetThemInNewRecordsAndParts() {
        Order order = views.create();

        assertThat(order.getId()).isNotEqualTo(views.create().getId());
        assertThat(order.getStatus()).isEqualTo("NEW");
        assertThat(order.getCount()).isZero();
        assertThat(order.getLimit()).isZero();
        assertThat(order.isActive()).isTrue();
        assertThat(order.getPrice()).isEqualTo("1.50");
        assertThat(order.getParty().getName()).isNull();
        assertThat(order.getParty().getCountry()).isEqualTo("DE");
        assertThat(order.getLegs()).extracting(Leg::getSide).containsExactly("Buy");
        assertThat(order.getMarks()).isEmpty();
        assertThat(views.create(Party.class).getCountry()).isEqualTo("DE");
        assertThat(views.create(Leg.class).getSide()).isEqualTo("Buy");
    }

    @Test
    void shouldLeaveStoredRecordsAsTheyAre() {
        Order order = views.create();
        order.setStatus(null);
        order.setActive(false);
        order.getParty().setCountry("FR");
        order.setLegs(List.of());

        for (Order copy : List.of(views.view(order), views.edit(order), views.edit(views.view(order)))) {
            assertThat(copy.getStatus()).isNull();
            assertThat(copy.isActive()).isFalse();
            assertThat(copy.getParty().getCountry()).isEqualTo("FR");
            assertThat(copy.getLegs()).isEmpty();
        }
    }

    @Test
    void shouldReadJsonAsJacksonDoesForObjects() {
        JsonMapper mapper =
                JsonMapper.builder().addModule(new RecordViewModule(views)).build();
        JsonMapper plain = JsonMapper.builder().build();
        String id = "\"id\":\"00000000-0000-0001-0000-000000000002\",\"count\":3";
        for (String json : List.of(
                "{" + id + "}",
                "{" + id + ",\"party\":{}}",
                "{" + id + ",\"party\":{\"name\":\"A\"}}",
                "{" + id + ",\"party\":null}",
                "{" + id + ",\"legs\":[]}",
                "{" + id + ",\"legs\":[{},{\"side\":\"Sell\"}]}",
                "{" + id + ",\"status\":null,\"active\":false}")) {
            Order expected = plain.readValue(json, Order.class);
            assertThat(mapper.readValue(json, Order.class)).as(json).isEqualTo(views.view(expected));
        }
    }

    /** A value that the schema does not allow. */
    public static class TooMany {
        private int count = 10;

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }
    }

    @Test
    void shouldRefuseAValueThatTheSchemaDoesNotAllow() {
        RecordViews<TooMany> tooMany = RecordViews.of(TooMany.class, SCHEMA);
        assertThatThrownBy(tooMany::create)
                .isInstanceOf(FieldValueException.class)
                .hasMessageContaining("Invalid value '10' of 'count'");
    }

    /** A class of which there are no objects. */
    public abstract static class Abstract {
        private String status = "NEW";

        public String getStatus() {
            return status;
        }

        public void setStatus(String status) {
            this.status = status;
        }
    }

    /** A class of which there are no objects, and whose constructor sets nothing. */
    public abstract static class Blank {
        public abstract String getStatus();

        public abstract void setStatus(String status);
    }

    @Test
    void shouldRefuseNewObjectsOfAnAbstractClassThatSetsValues() {
        RecordViews<Abstract> refused = RecordViews.of(Abstract.class, SCHEMA);
        assertThatIllegalArgumentException()
                .isThrownBy(refused::create)
                .withMessageContaining("abstract class " + Abstract.class.getName());
        assertThat(RecordViews.of(Blank.class, SCHEMA).create().getStatus()).isNull();
    }
}
