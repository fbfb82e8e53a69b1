package io.millrace.pipeline.rules;

import io.millrace.store.Store;
import io.millrace.store.error.SupersededException;
import io.millrace.store.write.Claim;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.context.ApplicationContext;

/** Another process that takes over all pipelines, as the store shows it. */
public final class OtherProcess implements BeanPostProcessor {

    public static final String NAME = "host-2 (process 4711)";

    private volatile boolean owns;

    OtherProcess(boolean owns) {
        this.owns = owns;
    }

    public static OtherProcess waiting() {
        return new OtherProcess(false);
    }

    public static OtherProcess owning() {
        return new OtherProcess(true);
    }

    public static OtherProcess of(ApplicationContext context) {
        return context.getBean(OtherProcess.class);
    }

    public void takeOver() {
        owns = true;
    }

    public void stop() {
        owns = false;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (!(bean instanceof Store store)) {
            return bean;
        }
        return Proxy.newProxyInstance(
                Store.class.getClassLoader(), new Class<?>[] {Store.class}, (_, method, arguments) -> {
                    if (owns && method.getName().equals("claim")) {
                        return Claim.heldBy(NAME);
                    }
                    if (owns && method.getName().equals("requireTerm")) {
                        throw new SupersededException("The term has ended.", null);
                    }
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
