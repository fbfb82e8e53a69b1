package io.millrace.nemesis;

import io.millrace.nemesis.history.Moment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Lets nemeses act alone or two at a time, in a random order in which each comes as often as the others. Two nemeses of
 * the same target never act together, such as a kill and a pause of one process.
 */
public final class Nemeses {

    private final Random random;
    private final String only;
    private final List<Candidate> candidates = new ArrayList<>();
    /** What is still to come of those that act alone, and of the pairs. */
    private final Map<Integer, List<List<Candidate>>> decks = new HashMap<>();

    private final Map<String, Integer> strikes = new TreeMap<>();
    private int count;
    private long longestNanos;

    private record Candidate(String target, Nemesis nemesis) {}

    /** Waits until all is well again after a strike. */
    @FunctionalInterface
    public interface Recovery {
        void await() throws Exception;
    }

    /** Creates a choice whose order depends on the seed. */
    public Nemeses(long seed) {
        this(seed, "");
    }

    /**
     * Creates a choice of some nemeses, whose order depends on the seed.
     *
     * @param only text that their names contain; the others are left out
     */
    public Nemeses(long seed, String only) {
        random = new Random(seed);
        this.only = only;
    }

    /** Adds nemeses of a target. */
    public Nemeses add(String target, Nemesis... nemeses) {
        for (Nemesis nemesis : nemeses) {
            if (nemesis.toString().contains(only)) {
                candidates.add(new Candidate(target, nemesis));
            }
        }
        return this;
    }

    /**
     * Lets some nemeses act at the same time, and waits for the recovery.
     *
     * @param together how many, 1 or 2
     * @param maxMillis how long each of them acts at most
     */
    public void strike(int together, int maxMillis, Recovery recovery) throws Exception {
        List<Candidate> chosen = next(together);
        System.out.println(
                "nemeses " + chosen.stream().map(Candidate::nemesis).toList() + " at " + Moment.of(System.nanoTime()));
        long start = System.nanoTime();
        List<Thread> threads = new ArrayList<>();
        List<Exception> failures = Collections.synchronizedList(new ArrayList<>());
        for (Candidate candidate : chosen) {
            int delay = random.nextInt(1 + maxMillis / 4);
            int millis = maxMillis / 4 + random.nextInt(1 + maxMillis / 2);
            strikes.merge(kind(candidate), 1, Integer::sum);
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    Thread.sleep(delay); // they overlap in any way
                    candidate.nemesis().strike(millis);
                } catch (Exception e) {
                    failures.add(e);
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
        recovery.await();
        long nanos = System.nanoTime() - start;
        longestNanos = Math.max(longestNanos, nanos);
        count++;
        System.out.println("recovered after " + nanos / 1_000_000_000 + " s");
    }

    /** Returns the name of a nemesis without the number of its target. */
    private static String kind(Candidate candidate) {
        return candidate.nemesis().toString().replaceAll("(server|ingest)-\\d+", "$1");
    }

    private List<Candidate> next(int together) {
        List<List<Candidate>> deck = decks.computeIfAbsent(together, _ -> new ArrayList<>());
        if (deck.isEmpty()) {
            for (int i = 0; i < candidates.size(); i++) {
                if (together == 1) {
                    deck.add(List.of(candidates.get(i)));
                }
                for (int j = 0; j < i && together == 2; j++) {
                    if (!candidates.get(i).target().equals(candidates.get(j).target())) {
                        deck.add(List.of(candidates.get(i), candidates.get(j)));
                    }
                }
            }
            Collections.shuffle(deck, random);
        }
        return deck.removeLast();
    }

    /** Returns how often some nemeses acted. */
    public int count() {
        return count;
    }

    /** Returns how often each kind acted. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "%d strikes, longest recovery %.1f s: %s", count, longestNanos / 1e9, strikes);
    }
}
