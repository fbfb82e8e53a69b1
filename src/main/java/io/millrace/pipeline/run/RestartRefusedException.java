package io.millrace.pipeline.run;

/** Thrown when a pipeline can't be restarted. */
public final class RestartRefusedException extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Reason reason;

    /** Why a pipeline can't be restarted. */
    public enum Reason {
        /** Another process runs the pipeline. */
        STANDBY,
        /** The pipeline was restarted and has failed again. */
        FAILED,
        /** The pipeline was stopped. */
        STOPPED
    }

    RestartRefusedException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** Returns why. */
    public Reason reason() {
        return reason;
    }
}
