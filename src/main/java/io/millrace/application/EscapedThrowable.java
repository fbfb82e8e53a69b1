package io.millrace.application;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import io.millrace.codec.ControlCharacters;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A throwable of a log whose messages, and those of its causes, are {@linkplain EscapedLog escaped}. */
record EscapedThrowable(IThrowableProxy failure) implements IThrowableProxy {

    @Override
    public @Nullable String getMessage() {
        String message = failure.getMessage();
        return message == null ? null : ControlCharacters.indented(message);
    }

    @Override
    public @Nullable String getOverridingMessage() {
        String message = failure.getOverridingMessage();
        return message == null ? null : ControlCharacters.indented(message);
    }

    @Override
    public String getClassName() {
        return failure.getClassName();
    }

    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
        return failure.getStackTraceElementProxyArray();
    }

    @Override
    public int getCommonFrames() {
        return failure.getCommonFrames();
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
        IThrowableProxy cause = failure.getCause();
        return cause == null ? null : new EscapedThrowable(cause);
    }

    @Override
    public IThrowableProxy @Nullable [] getSuppressed() {
        IThrowableProxy[] suppressed = failure.getSuppressed();
        return suppressed == null
                ? null
                : Arrays.stream(suppressed).map(EscapedThrowable::new).toArray(IThrowableProxy[]::new);
    }

    @Override
    public boolean isCyclic() {
        return failure.isCyclic();
    }
}
