package billing;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.RecordViews;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LedgerTest {

    private static byte[] invoice() {
        BinaryInvoice invoice = BinaryInvoice.create();
        invoice.setNumber("I-1");
        invoice.setDay(LocalDate.of(2026, 11, 25));
        invoice.setStatus(Invoice.Status.OPEN);
        invoice.getBuyer().setName("Müller");
        invoice.getBuyer().setCountry("DE");
        invoice.setLines(List.of(
                line(InvoiceFactory.BINARY, "nut", 100, "0.05"), line(InvoiceFactory.BINARY, "bolt", 2, "7.50")));
        return invoice.bytes();
    }

    private static Invoice.Line line(InvoiceFactory factory, String article, long quantity, String price) {
        Invoice.Line line = factory.createLine();
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

    @ParameterizedTest
    @EnumSource
    void shouldCloseInvoicesThatArePaid(InvoiceFactory invoiceFactory) {
        Ledger ledger = new Ledger(invoiceFactory);
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

    @Test
    void shouldBeTheSameInBothClasses() {
        Invoice binary = InvoiceFactory.BINARY.of(invoice());
        Invoice classic = InvoiceFactory.CLASSIC.of(invoice());
        assertThat(classic).isInstanceOf(ClassicInvoice.class).isEqualTo(InvoiceFactory.CLASSIC.copy(binary));
        assertThat(binary).isInstanceOf(BinaryInvoice.class).isEqualTo(InvoiceFactory.BINARY.copy(classic));
        assertThat(InvoiceFactory.CLASSIC.bytes(classic)).isEqualTo(invoice());
        assertThat(classic.getLines()).contains(line(InvoiceFactory.CLASSIC, "bolt", 2, "7.5"));
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
