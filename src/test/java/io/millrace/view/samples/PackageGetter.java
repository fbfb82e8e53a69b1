package io.millrace.view.samples;

/** Has a getter that classes in other packages can't replace. */
public class PackageGetter {

    private long id;

    long getId() {
        return id;
    }

    /** Sets the number. */
    public void setId(long id) {
        this.id = id;
    }

    /** Returns the number with a prefix. */
    public String label() {
        return "id " + getId();
    }
}
