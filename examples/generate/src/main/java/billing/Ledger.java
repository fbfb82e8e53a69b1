package billing;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.Map;

/** Open amounts of invoices. The records are objects of generated classes, which read their bytes. */
public final class Ledger {

    private final Map<String, BinaryInvoice> invoices = new HashMap<>();
    private final Map<String, BigDecimal> paid = new HashMap<>();

    public void invoice(byte[] record) {
        BinaryInvoice invoice = BinaryInvoice.of(record);
        invoices.put(invoice.getNumber(), invoice);
    }

    public void payment(byte[] record) {
        Payment payment = BinaryPayment.of(record);
        paid.merge(payment.getInvoice(), payment.getAmount(), BigDecimal::add);
        if (open(payment.getInvoice()).signum() <= 0) {
            BinaryInvoice copy = BinaryInvoice.edit(invoices.get(payment.getInvoice()));
            copy.setStatus(Invoice.Status.PAID);
            invoices.put(payment.getInvoice(), BinaryInvoice.of(copy.bytes()));
        }
    }

    public BigDecimal open(String number) {
        BigDecimal total = invoices.get(number).getLines().stream()
                .map(line -> line.getPrice().multiply(BigDecimal.valueOf(line.getQuantity())))
                .reduce(BigDecimal.ZERO, BigDecimal::add);
        return total.subtract(paid.getOrDefault(number, BigDecimal.ZERO));
    }

    public Invoice find(String number) {
        return invoices.get(number);
    }
}
