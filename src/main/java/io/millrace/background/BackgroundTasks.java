package io.millrace.background;

import java.util.List;

/** An object that runs background tasks, such as a bean whose tasks a health check shows. */
public interface BackgroundTasks {

    /** Returns the tasks that run now. Called by any thread. */
    List<BackgroundTask> backgroundTasks();
}
