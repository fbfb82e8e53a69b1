package io.millrace.codec.json;

/** Reads a group that does not repeat, or an element of one that does. */
final class ReadPart implements ReadNode {

    private final String path;
    private final ReadGroup group;
    private final int presence;

    /** @param presence offset in the row of the byte that says whether the part is there, or -1 */
    ReadPart(String path, ReadGroup group, int presence) {
        this.path = path;
        this.group = group;
        this.presence = presence;
    }

    @Override
    public boolean required() {
        return presence < 0;
    }

    @Override
    public void read(JsonInput json, byte[] into, int at, int parent) {
        switch (json.scanner().peek()) {
            case '{' -> {
                if (presence >= 0) {
                    into[at + presence] = 1;
                }
                group.read(json, into, at, parent);
            }
            case 'n' -> {
                json.scanner().literal(JsonConstant.NULL);
                if (required()) {
                    json.error("Missing value of '" + path + "'. The field is not optional.");
                }
            }
            default -> {
                json.error("Invalid value of '" + path + "'. Use an object.");
                json.scanner().skip();
            }
        }
    }
}
