package io.millrace.pipeline.rules;

/** Lets a process apply the versions that other processes have added, as its own thread does now and then. */
public final class FollowedOnce {

    private FollowedOnce() {}

    public static void follow(RuleChanges changes) {
        changes.all().forEach(FollowedRules::follow);
    }
}
