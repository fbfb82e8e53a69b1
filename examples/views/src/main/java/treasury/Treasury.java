package treasury;

import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;

/** Makes payments from an account. The objects are views: each one is the bytes of its record. */
public final class Treasury {

    static final RecordViews<Payment> PAYMENTS = views(Payment.class, "payment.yml");
    static final RecordViews<Balance> BALANCES = views(Balance.class, "balance.yml");

    private Balance balance;

    Treasury(Balance balance) {
        this.balance = balance;
    }

    private static <T> RecordViews<T> views(Class<T> type, String schema) {
        try (InputStream in = Treasury.class.getResourceAsStream("/" + schema)) {
            return RecordViews.of(type, SchemaReader.read(schema, in.readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Payment payment(String id, String amount, String fee) {
        Payment payment = PAYMENTS.create();
        payment.setId(id);
        payment.setDay(LocalDate.of(2026, 11, 28));
        payment.setCurrency(Currency.EUR);
        payment.setAmount(new BigDecimal(amount));
        payment.setFee(new BigDecimal(fee));
        payment.getDebtor().setName("Müller");
        payment.getDebtor().setCountry("DE");
        payment.getInvoices().add("I-" + id);
        return PAYMENTS.view(payment);
    }

    static Balance balance(String amount, String limit) {
        Balance balance = BALANCES.create();
        balance.setAccount("A-1");
        balance.setCurrency(Currency.EUR);
        balance.setAmount(new BigDecimal(amount));
        balance.setLimit(new BigDecimal(limit));
        return BALANCES.view(balance);
    }

    /** Subtracts the payments that are valid and covered from the balance, and returns them. */
    List<Payment> pay(List<Payment> payments) {
        List<Payment> paid = new ArrayList<>();
        for (Payment payment : payments) {
            if (PAYMENTS.isValid(payment) && balance.covers(payment)) {
                Balance changed = BALANCES.edit(balance);
                changed.setAmount(balance.getAmount().subtract(payment.getTotal()));
                balance = BALANCES.view(changed);
                paid.add(payment);
            }
        }
        return paid;
    }

    Balance balance() {
        return balance;
    }

    static byte[] serialize(Object object) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        return bytes.toByteArray();
    }

    static Object deserialize(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            return in.readObject();
        }
    }

    public static void main(String[] args) throws Exception {
        List<Payment> payments =
                List.of(payment("1", "100.00", "0.35"), payment("2", "0.10", "0.35"), payment("3", "900.00", "0.35"));
        Treasury treasury = new Treasury(balance("150.00", "50.00"));

        treasury.pay(payments).forEach(paid -> System.out.println("Paid " + paid.getId() + ": " + paid.getTotal()));
        System.out.println("Balance: " + treasury.balance().getAmount());
        payments.forEach(payment -> PAYMENTS.validate(payment).forEach(System.out::println));
        System.out.println(
                "Copy is equal: " + deserialize(serialize(payments.getFirst())).equals(payments.getFirst()));
    }
}
