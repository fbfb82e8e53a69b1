package hostile;

import java.nio.file.Path;
import org.apache.geode.cache.execute.Function;
import org.apache.geode.cache.execute.FunctionContext;

/** A function that a client brings along. */
public final class HostileFunction implements Function<Object> {

    private final Gadget gadget;

    public HostileFunction(Path file) {
        this.gadget = new Gadget(file);
    }

    @Override
    public void execute(FunctionContext<Object> context) {
        context.<Object>getResultSender().lastResult(gadget);
    }

    @Override
    public String getId() {
        return "hostile";
    }
}
