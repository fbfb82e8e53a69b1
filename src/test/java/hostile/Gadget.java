package hostile;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;

/** Runs code of its sender where it is deserialized: creates a file. It is on the class path of the tests' servers. */
public final class Gadget implements Serializable {

    @Serial
    private static final long serialVersionUID = 1;

    private final String file;

    public Gadget(Path file) {
        this.file = file.toString();
    }

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
        in.defaultReadObject();
        Files.writeString(Path.of(file), "deserialized");
    }
}
