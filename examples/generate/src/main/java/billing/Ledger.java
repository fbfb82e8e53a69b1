package billing;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

/** Open amounts of invoices. These are objects of generated classes: plain ones, or ones that read their bytes. */
public final class Ledger {

    private final InvoiceFactory invoiceFactory;
    private final Map<String, Invoice> invoices = new HashMap<>();
    private final Map<String, BigDecimal> paid = new HashMap<>();

    public Ledger(InvoiceFactory invoiceFactory) {
        this.invoiceFactory = invoiceFactory;
    }

    public void invoice(byte[] record) {
        Invoice invoice = invoiceFactory.of(record);
        invoices.put(invoice.getNumber(), invoice);
    }

    public void payment(byte[] record) {
        Payment payment = BinaryPayment.of(record);
        paid.merge(payment.getInvoice(), payment.getAmount(), BigDecimal::add);
        if (open(payment.getInvoice()).signum() <= 0) {
            Invoice copy = invoiceFactory.copy(invoices.get(payment.getInvoice()));
            copy.setStatus(Invoice.Status.PAID);
            invoices.put(payment.getInvoice(), invoiceFactory.of(invoiceFactory.bytes(copy)));
        }
    }

    public BigDecimal open(String number) {
        BigDecimal total =
                invoices.get(number).getLines().stream().map(Priced::total).reduce(BigDecimal.ZERO, BigDecimal::add);
        return total.subtract(paid.getOrDefault(number, BigDecimal.ZERO));
    }

    public Invoice find(String number) {
        return invoices.get(number);
    }
}
