package io.millrace.web.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

class FairTasksTest {

    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> log = new ArrayList<>();
    private final FairTasks tasks = new FairTasks(1, 3, threads::add);

    private Disposable submit(String sender, String name) {
        return tasks.run(sender, () -> log.add(name)).subscribe(_ -> {}, e -> {
            assertThat(e).isInstanceOf(BusySignInException.class);
            log.add("refused " + name);
        });
    }

    private List<String> runAll() {
        while (!threads.isEmpty()) {
            threads.removeFirst().run();
        }
        return log;
    }

    @Test
    void shouldRunTasksOfSendersInTurn() {
        submit("a", "a1");
        submit("a", "a2");
        submit("a", "a3");
        submit("b", "b1");
        assertThat(threads).hasSize(1);
        assertThat(runAll()).containsExactly("a1", "a2", "b1", "a3");
    }

    @Test
    void shouldRefuseTheNewestTaskOfTheSenderWithTheMost() {
        submit("a", "a1");
        submit("a", "a2");
        submit("a", "a3");
        submit("a", "a4");
        submit("b", "b1");
        submit("b", "b2");
        submit("a", "a5");
        assertThat(runAll())
                .containsExactlyInAnyOrder("refused a4", "refused a3", "refused a5", "a1", "a2", "b1", "b2");
    }

    @Test
    void shouldNotRunWhatNobodyWaitsFor() {
        submit("a", "a1");
        Disposable gone = submit("a", "a2");
        submit("a", "a3");
        gone.dispose();
        submit("b", "b1");
        submit("b", "b2");
        assertThat(runAll()).containsExactly("a1", "a3", "b1", "b2");
    }

    @Test
    void shouldRunOnAfterAFailureAndAfterAPause() {
        tasks.run("a", () -> {
                    throw new IllegalStateException("wrong");
                })
                .subscribe(_ -> {}, e -> log.add(String.valueOf(e.getMessage())));
        submit("a", "a2");
        runAll();
        submit("a", "a3");
        assertThat(runAll()).containsExactly("wrong", "a2", "a3");
    }
}
