package io.millrace.measure.alert;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AlertKeyTest {

    /** What a map needs to find a key among others of its hash code without a look at all of them. */
    @Property
    void shouldBeInAnOrderThatGoesWithEquality(@ForAll @Size(max = 3) byte[] one, @ForAll @Size(max = 3) byte[] other) {
        AlertWatch.Key key = new AlertWatch.Key(one);
        AlertWatch.Key otherKey = new AlertWatch.Key(other);
        assertThat(key.compareTo(otherKey) == 0).isEqualTo(key.equals(otherKey));
        assertThat(Integer.signum(key.compareTo(otherKey))).isEqualTo(-Integer.signum(otherKey.compareTo(key)));
    }

    @Test
    void shouldOrderKeysOfOneHashCode() {
        AlertWatch.Key one = new AlertWatch.Key("AaBB".getBytes(StandardCharsets.US_ASCII));
        AlertWatch.Key other = new AlertWatch.Key("BBAa".getBytes(StandardCharsets.US_ASCII));
        assertThat(one).hasSameHashCodeAs(other);
        assertThat(one).isLessThan(other);
    }
}
