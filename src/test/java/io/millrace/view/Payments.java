package io.millrace.view;

import io.millrace.schema.Schema;
import io.millrace.schema.yaml.SchemaReader;
import io.millrace.view.BeanPayment.Account;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Payments, as objects and as views. */
final class Payments {

    static final Schema SCHEMA = SchemaReader.read("payment.yml", """
            schema: payment
            layout: compact
            fields:
              - { name: id, type: i64 }
              - { name: currency, type: string, length: 8, optional: true }
              - { name: amount, type: decimal, scale: 2, optional: true }
              - name: payer
                type: group
                optional: true
                fields:
                  - { name: name, type: string, length: 16, optional: true }
              - name: others
                type: group
                repeat: 4
                fields:
                  - { name: name, type: string, length: 16, optional: true }
              - { name: notes, type: string, length: 16, repeat: 4 }
            """.getBytes(StandardCharsets.UTF_8));

    private Payments() {}

    static Account account(String name) {
        Account account = new Account();
        account.setName(name);
        return account;
    }

    /** Returns an object that meets all constraints. */
    static BeanPayment valid() {
        BeanPayment payment = new BeanPayment();
        payment.setId(7);
        payment.setCurrency("EUR");
        payment.setAmount(new BigDecimal("12.50"));
        payment.setPayer(account("Ann"));
        payment.setOthers(List.of(account("Bob")));
        payment.setNotes(List.of("rent"));
        return payment;
    }

    /** Returns an object that violates every constraint. */
    static BeanPayment invalid() {
        BeanPayment payment = new BeanPayment();
        payment.setId(-1);
        payment.setCurrency("EURO");
        payment.setAmount(new BigDecimal("0.00"));
        payment.setPayer(account("A"));
        payment.setOthers(List.of(account("Bob"), account("C")));
        payment.setNotes(List.of("rent", "long note"));
        return payment;
    }
}
