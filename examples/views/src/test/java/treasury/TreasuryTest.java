package treasury;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.view.Violation;
import java.io.File;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class TreasuryTest {

    private static final Path RUNTIME = Path.of("target/class-path.txt");

    private static final Payment FIRST = Treasury.payment("1", "100.00", "0.35");

    @Test
    void shouldPayWhatIsCovered() {
        Treasury treasury = new Treasury(Treasury.balance("150.00", "50.00"));
        Balance before = treasury.balance();

        assertThat(treasury.pay(List.of(FIRST, Treasury.payment("3", "900.00", "0.35"))))
                .containsExactly(FIRST);
        assertThat(treasury.balance().getAmount()).isEqualTo(new BigDecimal("49.65"));
        assertThat(before.getAmount()).isEqualTo(new BigDecimal("150.00"));
    }

    @Test
    void shouldComputeVirtualFields() {
        assertThat(FIRST.getTotal()).isEqualTo(new BigDecimal("100.35"));
    }

    @Test
    void shouldValidate() {
        assertThat(Treasury.PAYMENTS.isValid(FIRST)).isTrue();
        assertThat(Treasury.PAYMENTS.validate(Treasury.payment("2", "0.10", "0.35")))
                .extracting(Violation::reason)
                .containsExactly("Constraint 'fee-below-amount' is violated: the fee must be lower than the amount.");
    }

    @Test
    void shouldSerializeTheBytes() throws Exception {
        byte[] serialized = Treasury.serialize(FIRST);

        assertThat(Treasury.deserialize(serialized)).isEqualTo(FIRST);
        assertThat(Treasury.PAYMENTS.of(Treasury.PAYMENTS.bytes(FIRST))).isEqualTo(FIRST);
        assertThat(FIRST.getDebtor().getName()).isEqualTo("Müller");
        assertThat(FIRST.getInvoices()).containsExactly("I-1");
    }

    /** Ten libraries at most, with those that they need. */
    @Test
    void shouldNeedFewLibraries() throws Exception {
        assertThat(Files.readString(RUNTIME).strip().split(File.pathSeparator))
                .hasSizeBetween(2, 11)
                .noneMatch(jar -> jar.contains("spring-boot") || jar.contains("geode") || jar.contains("jackson"));
    }

    @Test
    void shouldRunWithTheseLibrariesAlone() throws Exception {
        Process program = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-cp",
                        "target/classes" + File.pathSeparator
                                + Files.readString(RUNTIME).strip(),
                        "treasury.Treasury")
                .redirectErrorStream(true)
                .start();

        assertThat(program.inputReader().readAllAsString().lines())
                .containsExactly(
                        "Paid 1: 100.35",
                        "Balance: 49.65",
                        "Constraint 'fee-below-amount' is violated: the fee must be lower than the amount.",
                        "Copy is equal: true");
        assertThat(program.waitFor()).isZero();
    }
}
