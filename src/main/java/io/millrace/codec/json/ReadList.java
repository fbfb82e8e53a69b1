package io.millrace.codec.json;

import io.millrace.codec.ChildRows;
import io.millrace.codec.compact.CompactFinder;
import io.millrace.schema.CompactPart;

/** Reads the elements of a part that repeats. */
final class ReadList implements ReadNode {

    private final CompactPart part;
    private final ChildRows rows;
    private final ReadNode element;
    private final byte[] emptyRow;
    private final int rowBytes;

    /**
     * @param emptyRow row of an element without values
     * @param rowBytes memory of an element
     */
    ReadList(CompactPart part, ChildRows rows, ReadNode element, byte[] emptyRow, int rowBytes) {
        this.part = part;
        this.rows = rows;
        this.element = element;
        this.emptyRow = emptyRow;
        this.rowBytes = rowBytes;
    }

    @Override
    public boolean required() {
        return false;
    }

    @Override
    public void read(JsonInput json, byte[] into, int at, int parent) {
        switch (json.scanner().peek()) {
            case 'n' -> json.scanner().literal(JsonConstant.NULL);
            case '[' -> elements(json, parent);
            default -> {
                json.error("Invalid value of '" + part.path() + "'. Use an array.");
                json.scanner().skip();
            }
        }
    }

    private void elements(JsonInput json, int parent) {
        JsonScanner scanner = json.scanner();
        scanner.begin();
        rows.begin(parent);
        int count = 0;
        while (scanner.element(count == 0)) {
            if (++count > part.maxElements()) {
                scanner.skip();
                continue;
            }
            if (json.addElement(rowBytes) > CompactFinder.MAX_ROW_BYTES) {
                json.error("Too many elements of '" + part.path() + "'. The elements of a record take at most "
                        + CompactFinder.MAX_ROW_BYTES + " bytes in memory.");
                throw new JsonRecordException(json.errors());
            }
            int index = rows.add(parent, emptyRow);
            element.read(json, rows.rows(), index * rows.rowLength(), index);
        }
        if (count > part.maxElements()) {
            json.error("Invalid number of elements of '" + part.path() + "': " + count + ". The schema allows "
                    + part.maxElements() + ".");
        }
    }
}
