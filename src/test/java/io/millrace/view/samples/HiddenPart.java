package io.millrace.view.samples;

/** Has a getter with a type that classes in other packages do not see. */
public class HiddenPart {

    private Part part = new Part();

    /** A part. */
    static class Part {
        private long id;

        public long getId() {
            return id;
        }

        public void setId(long id) {
            this.id = id;
        }
    }

    /** Returns the part. */
    public Part getPart() {
        return part;
    }

    /** Sets the part. */
    public void setPart(Part part) {
        this.part = part;
    }
}
