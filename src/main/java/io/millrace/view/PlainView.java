package io.millrace.view;

import io.millrace.view.access.BinaryView;
import org.jspecify.annotations.Nullable;

/** What the components of Java records are read from, as these have no generated classes. */
final class PlainView implements BinaryView {

    private final ViewForm form;
    private final byte[] bytes;
    private final int at;
    private @Nullable Object state;

    PlainView(ViewForm form, byte[] bytes, int at, @Nullable Object state) {
        this.form = form;
        this.bytes = bytes;
        this.at = at;
        this.state = state;
    }

    @Override
    public byte[] millraceBytes() {
        return bytes;
    }

    @Override
    public int millraceAt() {
        return at;
    }

    @Override
    public @Nullable Object millraceState() {
        return state;
    }

    @Override
    public void millraceState(Object newState) {
        state = newState;
    }

    @Override
    public ViewForm millraceForm() {
        return form;
    }

    @Override
    public BinaryView millraceNew(byte[] newBytes, int newAt, @Nullable Object newState) {
        return new PlainView(form, newBytes, newAt, newState);
    }
}
