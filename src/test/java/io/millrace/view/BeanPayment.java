package io.millrace.view;

import jakarta.validation.Valid;
import jakarta.validation.constraints.DecimalMin;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A payment as applications have it, with constraints of Bean Validation on its fields. */
@SuppressWarnings("NullAway.Init") // set after construction
public class BeanPayment {

    /** A group of constraints. */
    interface Large {}

    @Min(1)
    private long id;

    @NotNull
    @Size(min = 3, max = 3)
    private String currency;

    @DecimalMin("0.01")
    @DecimalMin(value = "1000", groups = Large.class)
    private BigDecimal amount;

    @Valid
    @NotNull
    private Account payer;

    @Valid
    @Size(max = 1)
    private List<Account> others;

    private List<@Size(max = 4) String> notes;

    public long getId() {
        return id;
    }

    public void setId(long id) {
        this.id = id;
    }

    public String getCurrency() {
        return currency;
    }

    public void setCurrency(String currency) {
        this.currency = currency;
    }

    public BigDecimal getAmount() {
        return amount;
    }

    public void setAmount(BigDecimal amount) {
        this.amount = amount;
    }

    public @Nullable Account getPayer() {
        return payer;
    }

    public void setPayer(Account payer) {
        this.payer = payer;
    }

    public List<Account> getOthers() {
        return others;
    }

    public void setOthers(List<Account> others) {
        this.others = others;
    }

    public List<String> getNotes() {
        return notes;
    }

    public void setNotes(List<String> notes) {
        this.notes = notes;
    }

    /** An account, with a constraint on a field. */
    public static class Account {

        @Size(min = 2)
        private String name;

        public String getName() {
            return name;
        }

        public void setName(String name) {
            this.name = name;
        }
    }
}
