package io.millrace.view.expression;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A payment as applications have it, with a payer, charges and taxes. */
@SuppressWarnings("NullAway.Init") // set after construction
public class Transfer {

    /** How soon it is paid. */
    public enum Priority {
        NORMAL,
        HIGH,
        URGENT
    }

    /** A payer or an agent. */
    @SuppressWarnings("NullAway.Init") // set after construction
    public static class Party {
        private String name;
        private @Nullable String country;
        private @Nullable Address address;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }

        public @Nullable String getCountry() {
            return country;
        }

        public void setCountry(@Nullable String country) {
            this.country = country;
        }

        public @Nullable Address getAddress() {
            return address;
        }

        public void setAddress(@Nullable Address address) {
            this.address = address;
        }
    }

    /** Where a party is. */
    @SuppressWarnings("NullAway.Init") // set after construction
    public static class Address {
        private String city;
        private @Nullable Integer number;

        public String getCity() {
            return city;
        }

        public void setCity(String city) {
            this.city = city;
        }

        public @Nullable Integer getNumber() {
            return number;
        }

        public void setNumber(@Nullable Integer number) {
            this.number = number;
        }
    }

    /** A charge of the payment. */
    @SuppressWarnings("NullAway.Init") // set after construction
    public static class Charge {
        private String type;
        private BigDecimal amount;
        private @Nullable Party bearer;
        private List<Tax> taxes = List.of();

        public String getType() {
            return type;
        }

        public void setType(String type) {
            this.type = type;
        }

        public BigDecimal getAmount() {
            return amount;
        }

        public void setAmount(BigDecimal amount) {
            this.amount = amount;
        }

        public @Nullable Party getBearer() {
            return bearer;
        }

        public void setBearer(@Nullable Party bearer) {
            this.bearer = bearer;
        }

        public List<Tax> getTaxes() {
            return taxes;
        }

        public void setTaxes(List<Tax> taxes) {
            this.taxes = taxes;
        }
    }

    /** A tax of a charge. */
    @SuppressWarnings("NullAway.Init") // set after construction
    public static class Tax {
        private double rate;
        private @Nullable BigDecimal amount;

        public double getRate() {
            return rate;
        }

        public void setRate(double rate) {
            this.rate = rate;
        }

        public @Nullable BigDecimal getAmount() {
            return amount;
        }

        public void setAmount(@Nullable BigDecimal amount) {
            this.amount = amount;
        }
    }

    private long id;
    private String reference;
    private BigDecimal amount;
    private @Nullable BigDecimal fee;
    private LocalDate day;
    private @Nullable Instant seen;
    private @Nullable Priority priority;
    private boolean urgent;
    private @Nullable Double rate;
    private @Nullable Integer retries;
    private @Nullable String note;
    private char channel;
    private @Nullable UUID key;
    private Party payer;
    private @Nullable Party agent;
    private List<Charge> charges = List.of();
    private List<String> remittance = List.of();
    private Set<String> codes = Set.of();
    private int[] marks = new int[0];

    public long getId() {
        return id;
    }

    public void setId(long id) {
        this.id = id;
    }

    public String getReference() {
        return reference;
    }

    public void setReference(String reference) {
        this.reference = reference;
    }

    public BigDecimal getAmount() {
        return amount;
    }

    public void setAmount(BigDecimal amount) {
        this.amount = amount;
    }

    public @Nullable BigDecimal getFee() {
        return fee;
    }

    public void setFee(@Nullable BigDecimal fee) {
        this.fee = fee;
    }

    public LocalDate getDay() {
        return day;
    }

    public void setDay(LocalDate day) {
        this.day = day;
    }

    public @Nullable Instant getSeen() {
        return seen;
    }

    public void setSeen(@Nullable Instant seen) {
        this.seen = seen;
    }

    public @Nullable Priority getPriority() {
        return priority;
    }

    public void setPriority(@Nullable Priority priority) {
        this.priority = priority;
    }

    public boolean isUrgent() {
        return urgent;
    }

    public void setUrgent(boolean urgent) {
        this.urgent = urgent;
    }

    public @Nullable Double getRate() {
        return rate;
    }

    public void setRate(@Nullable Double rate) {
        this.rate = rate;
    }

    public @Nullable Integer getRetries() {
        return retries;
    }

    public void setRetries(@Nullable Integer retries) {
        this.retries = retries;
    }

    public @Nullable String getNote() {
        return note;
    }

    public void setNote(@Nullable String note) {
        this.note = note;
    }

    public char getChannel() {
        return channel;
    }

    public void setChannel(char channel) {
        this.channel = channel;
    }

    public @Nullable UUID getKey() {
        return key;
    }

    public void setKey(@Nullable UUID key) {
        this.key = key;
    }

    public Party getPayer() {
        return payer;
    }

    public void setPayer(Party payer) {
        this.payer = payer;
    }

    public @Nullable Party getAgent() {
        return agent;
    }

    public void setAgent(@Nullable Party agent) {
        this.agent = agent;
    }

    public List<Charge> getCharges() {
        return charges;
    }

    public void setCharges(List<Charge> charges) {
        this.charges = charges;
    }

    public List<String> getRemittance() {
        return remittance;
    }

    public void setRemittance(List<String> remittance) {
        this.remittance = remittance;
    }

    public Set<String> getCodes() {
        return codes;
    }

    public void setCodes(Set<String> codes) {
        this.codes = codes;
    }

    public int[] getMarks() {
        return marks;
    }

    public void setMarks(int[] marks) {
        this.marks = marks;
    }
}
