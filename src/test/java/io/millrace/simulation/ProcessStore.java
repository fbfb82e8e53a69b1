package io.millrace.simulation;

import io.millrace.codec.RejectSink;
import io.millrace.schema.Schema;
import io.millrace.store.Store;
import io.millrace.store.geode.SimulatedStore;
import io.millrace.store.write.Claim;
import io.millrace.store.write.RegionWriters;
import io.millrace.store.write.Term;
import io.millrace.store.write.WriterName;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The store as the pipeline of a process uses it, with the fault of a mutant. */
final class ProcessStore implements InvocationHandler {

    private final SimulatedStore store;
    private final RegionWriters writers;
    private final Mutant mutant;
    private final Consumer<Term> claimed;

    private ProcessStore(SimulatedStore store, Mutant mutant, Consumer<Term> claimed) {
        this.claimed = claimed;
        this.store = store;
        this.mutant = mutant;
        writers = mutant.store(store);
    }

    /** @param claimed receives each term that is granted */
    static Store of(SimulatedStore store, Mutant mutant, Consumer<Term> claimed) {
        return (Store) Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, new ProcessStore(store, mutant, claimed));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments) throws Throwable {
        Object[] given = arguments == null ? new Object[0] : arguments;
        try {
            return switch (method.getName()) {
                case "ruleVersions" -> mutant.versions(store.ruleVersions((boolean) given[0]));
                case "states" -> mutant.states(store.states((boolean) given[0]));
                case "writer" ->
                    mutant.writer(
                            store, (String) given[0], (WriterName) given[1], (Schema) given[2], (RejectSink) given[3]);
                case "audit", "openMeasure" -> null;
                case "claim" -> claim((WriterName) given[0], (boolean) given[1]);
                default -> method.invoke(writers, given);
            };
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private Claim claim(WriterName name, boolean persistent) {
        Claim claim = writers.claim(name, persistent);
        Optional.ofNullable(claim.term()).ifPresent(claimed);
        return claim;
    }
}
