package io.millrace.background;

import java.util.List;

/** An object that runs background tasks, such as a bean whose tasks a health check reports. */
public interface BackgroundTasks {

    /** Returns the tasks that currently run. Any thread may call it. */
    List<BackgroundTask> backgroundTasks();
}
