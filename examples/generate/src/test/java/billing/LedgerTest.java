package billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.codec.view.RecordViews;
import io.millrace.schema.SchemaReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private static byte[] invoice() {
        BinaryInvoice invoice = BinaryInvoice.create();
        invoice.setNumber("I-1");
        invoice.setDay(LocalDate.of(2026, 11, 25));
        invoice.setStatus(Invoice.Status.OPEN);
        invoice.getBuyer().setName("Müller");
        invoice.getBuyer().setCountry("DE");
        invoice.setLines(List.of(line("nut", 100, "0.05"), line("bolt", 2, "7.50")));
        return invoice.bytes();
    }

    private static Invoice.Line line(String article, long quantity, String price) {
        Invoice.Line line = BinaryInvoice.VIEWS.create(Invoice.Line.class);
        line.setArticle(article);
        line.setQuantity(quantity);
        line.setPrice(new BigDecimal(price));
        return line;
    }

    private static byte[] payment(long id, String amount) {
        BinaryPayment payment = BinaryPayment.create();
        payment.setId(id);
        payment.setInvoice("I-1");
        payment.setAmount(new BigDecimal(amount));
        payment.setTime(Instant.parse("2026-11-25T12:00:00Z"));
        return payment.bytes();
    }

    @Test
    void shouldCloseInvoicesThatArePaid() {
        Ledger ledger = new Ledger();
        ledger.invoice(invoice());
        ledger.payment(payment(1, "12.00"));
        assertThat(ledger.open("I-1")).isEqualByComparingTo("8.00");
        assertThat(ledger.find("I-1").getStatus()).isEqualTo(Invoice.Status.OPEN);

        ledger.payment(payment(2, "8.00"));
        assertThat(ledger.find("I-1").getStatus()).isEqualTo(Invoice.Status.PAID);
        assertThat(ledger.find("I-1").getBuyer().getName()).isEqualTo("Müller");
        assertThat(ledger.find("I-1").getRecipient()).isNull();
        assertThat(ledger.find("I-1").getLines()).hasSize(2);
    }

    /** A class that was generated as source equals one that RecordViews generates at run time. */
    @Test
    void shouldBehaveAsViews() throws Exception {
        RecordViews<Invoice> invoices =
                RecordViews.of(Invoice.class, SchemaReader.read(Path.of("src/main/schemas/invoice.yml")));
        Invoice view = invoices.of(invoice());
        assertThat(BinaryInvoice.of(invoice()))
                .isEqualTo(view)
                .hasSameHashCodeAs(view)
                .hasToString(view.toString());
        assertThat(BinaryInvoice.of(invoice()).getLines()).isEqualTo(view.getLines());
        assertThat(view.getClass()).isNotEqualTo(BinaryInvoice.class);

        RecordViews<Payment> payments =
                RecordViews.of(Payment.class, SchemaReader.read(Path.of("src/main/schemas/payment.yml")));
        Payment payment = payments.of(payment(3, "0.01"));
        assertThat(BinaryPayment.of(payment(3, "0.01"))).isEqualTo(payment).hasToString(payment.toString());
    }
}
