package io.millrace.store.geode.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.apache.geode.cache.client.NoAvailableServersException;
import org.apache.geode.cache.client.ServerConnectivityException;
import org.apache.geode.cache.client.ServerOperationException;
import org.apache.geode.cache.execute.FunctionException;
import org.apache.geode.cache.execute.FunctionInvocationTargetException;
import org.apache.geode.internal.cache.execute.BucketMovedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which failures of a query another attempt may mend. */
class QueryFunctionTest {

    @ParameterizedTest
    @MethodSource("passing")
    void shouldAskAgainAfterAFailureThatPasses(RuntimeException failure) {
        assertThat(QueryFunction.moved(failure)).isTrue();
        assertThat(QueryFunction.moved(new FunctionException(failure))).isTrue();
    }

    static Stream<RuntimeException> passing() {
        return Stream.of(
                // as a client says it that just learns that a server has gone
                new ServerConnectivityException("Could not create a new connection to server"),
                new FunctionInvocationTargetException("a member left"),
                new BucketMovedException("a bucket moved"));
    }

    @ParameterizedTest
    @MethodSource("lasting")
    void shouldFailAtOnceAfterOneThatLasts(RuntimeException failure) {
        assertThat(QueryFunction.moved(failure)).isFalse();
        assertThat(QueryFunction.moved(new FunctionException(failure))).isFalse();
    }

    static Stream<RuntimeException> lasting() {
        return Stream.of(
                new NoAvailableServersException(),
                new ServerOperationException("the function failed there"),
                new FunctionException("no such function"),
                new IllegalStateException("the cache is closed"));
    }
}
