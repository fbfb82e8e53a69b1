package io.millrace.codec.view;

import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/** The elements of a part of a mutable record, which can be added and removed. Belongs to one thread. */
final class NodeList extends AbstractList<@Nullable Object> implements RandomAccess {

    private final ListAccess access;
    private final List<RowNode> nodes;

    NodeList(ListAccess access, List<RowNode> nodes) {
        this.access = access;
        this.nodes = nodes;
    }

    @Override
    public @Nullable Object get(int index) {
        return show(nodes.get(index));
    }

    private @Nullable Object show(RowNode node) {
        PartForm form = access.form();
        return form == null
                ? access.shown(access.member().bareValue().codec().get().value(node.row(), 0))
                : form.view(node.row(), 0, node);
    }

    private RowNode node(@Nullable Object element) {
        RowNode own = element instanceof BinaryView view && access.form() != null
                ? access.form().row(view)
                : null;
        if (own != null) {
            return own;
        }
        RowNode node = RowNode.blank(access.member().shape().scope);
        access.write(element, node.row(), 0, node);
        return node;
    }

    @Override
    public int size() {
        return nodes.size();
    }

    @Override
    public @Nullable Object set(int index, @Nullable Object element) {
        return show(nodes.set(index, node(element)));
    }

    @Override
    public void add(int index, @Nullable Object element) {
        if (nodes.size() >= access.member().count()) {
            throw new IllegalArgumentException(
                    "Invalid number of elements of '" + access.member().path() + "': " + (nodes.size() + 1)
                            + ". The schema allows " + access.member().count() + ".");
        }
        nodes.add(index, node(element));
        modCount++;
    }

    @Override
    public @Nullable Object remove(int index) {
        modCount++;
        return show(nodes.remove(index));
    }
}
