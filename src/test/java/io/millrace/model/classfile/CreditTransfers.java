package io.millrace.model.classfile;

import jakarta.validation.constraints.Digits;
import jakarta.validation.constraints.Email;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The types of credit transfers between banks: that of the message, those of its parts, and enums. */
public final class CreditTransfers {

    private CreditTransfers() {}

    /** A message with transfers: the class of the records. */
    public record Message(@NotNull Header header, List<Transfer> transfers) {}

    public record Header(
            @NotNull @Size(max = 35) String id,
            @NotNull Instant created,
            @Nullable Amount total,
            Settlement settlement,
            @Nullable Agent from,
            @Nullable Agent to) {}

    public record Amount(
            @NotNull @Digits(integer = 13, fraction = 5) BigDecimal value,

            @NotNull @Pattern(regexp = "[A-Z]{3}") @Size(max = 3)
            String currency) {}

    public record Settlement(
            @NotNull SettlementMethod method,
            @Nullable Account account,
            @Nullable ClearingSystem system,
            @Nullable Agent reimbursing,
            @Nullable Account reimbursingAccount) {}

    public record ClearingSystem(
            @Nullable String code, @Nullable String name) {}

    public record Agent(
            @Nullable @Size(max = 11) String bic,
            @Nullable ClearingMember member,
            @Nullable @Size(max = 140) String name,
            @Nullable Address address,
            @Nullable Branch branch) {}

    public record ClearingMember(
            ClearingSystem system, @NotNull @Size(max = 35) String id) {}

    public record Branch(
            @Nullable String id,
            @Nullable String name,
            @Nullable Address address) {}

    public record Address(
            @Nullable String street,
            @Nullable String building,
            @Nullable String postCode,
            @Nullable String town,

            @NotNull @Pattern(regexp = "[A-Z]{2}") @Size(max = 2)
            String country,

            List<String> lines) {}

    public record Party(
            @NotNull @Size(max = 140) String name,
            @Nullable Address address,
            @Nullable Identification identification,
            @Nullable Contact contact) {}

    /** Identifies a company or a person. */
    public sealed interface Identification permits Company, Person {
        default boolean isPerson() {
            return this instanceof Person;
        }
    }

    public record Company(
            @Nullable String bic, @Nullable @Size(max = 20) String lei, List<Identifier> others)
            implements Identification {}

    public record Person(@Nullable Birth birth, List<Identifier> others) implements Identification {}

    public record Birth(
            @NotNull LocalDate day,
            @Nullable String city,
            @NotNull String country) {}

    public record Identifier(
            @NotNull @Size(max = 35) String value,
            @Nullable Scheme scheme,
            @Nullable String issuer) {}

    public record Scheme(@Nullable String code, @Nullable String proprietary) {}

    public record Contact(
            @Nullable String name,
            @Nullable String phone,
            @Nullable @Email String email) {}

    public record Account(
            @Nullable @Size(max = 34) String iban,
            @Nullable Identifier other,
            @Nullable Scheme type,
            @Nullable @Size(max = 3) String currency,
            @Nullable String name) {}

    public record Transfer(
            @NotNull References references,
            @Nullable PaymentType type,
            @NotNull Amount settled,
            @Nullable Amount instructed,
            @Nullable BigDecimal exchangeRate,
            @NotNull LocalDate settlementDay,
            @NotNull ChargeBearer chargeBearer,
            List<Charge> charges,
            @Nullable Party ultimateDebtor,
            @NotNull Party debtor,
            @Nullable Account debtorAccount,
            @NotNull Agent debtorAgent,
            List<Intermediary> intermediaries,
            @NotNull Agent creditorAgent,
            @NotNull Party creditor,
            @Nullable Account creditorAccount,
            @Nullable Party ultimateCreditor,
            @Nullable Scheme purpose,
            List<Report> reports,
            @Nullable Remittance remittance) {}

    public record References(
            @Nullable @Size(max = 35) String instruction,
            @NotNull @Size(max = 35) String endToEnd,
            @NotNull UUID transaction) {}

    public record PaymentType(
            @Nullable Priority priority,
            @Nullable Scheme serviceLevel,
            @Nullable Scheme localInstrument,
            @Nullable Scheme category) {}

    public record Charge(@NotNull Amount amount, @NotNull Agent agent) {}

    public record Intermediary(
            @NotNull Agent agent, @Nullable Account account) {}

    public record Report(@Nullable String authority, List<ReportDetail> details) {}

    public record ReportDetail(
            @Nullable String code, @Nullable Amount amount, List<String> information) {}

    public record Remittance(List<String> texts, List<Invoice> invoices) {}

    public record Invoice(
            @Nullable Scheme type,
            @NotNull @Size(max = 35) String number,
            @Nullable LocalDate day,
            @Nullable Amount due,
            @Nullable Amount discount,
            @Nullable Tax tax,
            @NotNull Amount remitted,
            @Nullable Party invoicer,
            @Nullable Party invoicee) {}

    public record Tax(
            @Nullable Scheme category,
            @Nullable BigDecimal rate,
            @NotNull Amount amount) {}

    public enum SettlementMethod {
        CLEARING,
        COVER,
        INSTRUCTED_AGENT,
        INSTRUCTING_AGENT
    }

    public enum Priority {
        NORMAL,
        HIGH
    }

    public enum ChargeBearer {
        CREDITOR,
        DEBTOR,
        SHARED,
        SERVICE_LEVEL
    }
}
