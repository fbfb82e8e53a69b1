package io.millrace.view.access;

import io.millrace.codec.shape.RowNode;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
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
        RowNode node = RowNode.blank(access.member().shape().scope());
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
        requireAllowed(nodes.size() + 1);
        nodes.add(index, node(element));
        modCount++;
    }

    @Override
    public boolean addAll(Collection<? extends @Nullable Object> elements) {
        return addAll(size(), elements);
    }

    /** Adds all elements, or none if one of them is refused. */
    @Override
    public boolean addAll(int index, Collection<? extends @Nullable Object> elements) {
        Objects.checkIndex(index, size() + 1);
        List<RowNode> added = nodes(elements, nodes.size());
        modCount++;
        return nodes.addAll(index, added);
    }

    /** Returns the elements of a list that replaces this one, which keeps its own. */
    List<RowNode> replacement(List<Object> elements) {
        return nodes(elements, 0);
    }

    /** @param others number of elements that the list has in addition to these */
    private List<RowNode> nodes(Collection<? extends @Nullable Object> elements, int others) {
        requireAllowed(others + elements.size());
        List<RowNode> all = new ArrayList<>(elements.size());
        elements.forEach(element -> all.add(node(element)));
        return all;
    }

    private void requireAllowed(int count) {
        if (count > access.member().count()) {
            throw new IllegalArgumentException("Invalid number of elements of '"
                    + access.member().path() + "': " + count + ". The schema allows "
                    + access.member().count() + ".");
        }
    }

    @Override
    public @Nullable Object remove(int index) {
        modCount++;
        return show(nodes.remove(index));
    }
}
