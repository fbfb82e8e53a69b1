package io.millrace.view;

import org.apiguardian.api.API;

/** How the records of a generated class read their bytes. {@link RecordViews} passes it to the constructor. */
@API(status = API.Status.STABLE)
public abstract class RecordForm {

    RecordForm() {}
}
