package io.millrace.store.geode.access;

import java.io.Serializable;
import java.security.Principal;

/** An authenticated user of a cluster. */
record KnownUser(String name, UserRole role) implements Principal, Serializable {

    /** The user of every client of a cluster without users. */
    static final KnownUser ANYONE = new KnownUser("", UserRole.INGEST);

    @Override
    public String getName() {
        return name;
    }
}
