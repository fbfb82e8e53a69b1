package io.millrace.architecture;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The cycles between classes: the strongly connected components of more than one top-level class. A nested class
 * belongs to its top-level class. This is Tarjan's algorithm with a stack of its own, as paths are longer than the
 * stack of a thread.
 */
final class ClassCycles {

    private final Map<String, Set<String>> dependencies;
    private final Map<String, Integer> order = new HashMap<>();
    private final Map<String, Integer> lowest = new HashMap<>();
    private final Deque<String> open = new ArrayDeque<>();
    private final Set<String> openNames = new TreeSet<>();
    private final List<List<String>> cycles = new ArrayList<>();

    private ClassCycles(Map<String, Set<String>> dependencies) {
        this.dependencies = dependencies;
    }

    /** Returns the classes of each cycle by name, the largest cycle first. */
    static List<List<String>> of(JavaClasses classes) {
        ClassCycles search = new ClassCycles(dependencies(classes));
        search.dependencies.keySet().forEach(search::visit);
        search.cycles.sort((a, b) -> a.size() == b.size() ? a.getFirst().compareTo(b.getFirst()) : b.size() - a.size());
        return search.cycles;
    }

    private static Map<String, Set<String>> dependencies(JavaClasses classes) {
        Map<String, Set<String>> dependencies = new TreeMap<>();
        for (JavaClass type : classes) {
            dependencies.computeIfAbsent(topLevel(type), _ -> new TreeSet<>());
        }
        for (JavaClass type : classes) {
            Set<String> targets = dependencies.get(topLevel(type));
            for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
                String target = topLevel(dependency.getTargetClass().getBaseComponentType());
                if (dependencies.containsKey(target)) {
                    targets.add(target);
                }
            }
        }
        return dependencies;
    }

    private static String topLevel(JavaClass type) {
        JavaClass outer = type;
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer.getName();
    }

    private record Visit(String name, Iterator<String> targets) {}

    private void visit(String root) {
        if (order.containsKey(root)) {
            return;
        }
        Deque<Visit> path = new ArrayDeque<>();
        path.push(enter(root));
        while (!path.isEmpty()) {
            Visit visit = path.getFirst();
            if (visit.targets.hasNext()) {
                String target = visit.targets.next();
                if (!order.containsKey(target)) {
                    path.push(enter(target));
                } else if (openNames.contains(target)) {
                    lowest.merge(visit.name, order.get(target), Math::min);
                }
            } else {
                path.pop();
                leave(visit.name);
                if (!path.isEmpty()) {
                    lowest.merge(path.getFirst().name, lowest.get(visit.name), Math::min);
                }
            }
        }
    }

    private Visit enter(String name) {
        order.put(name, order.size());
        lowest.put(name, order.get(name));
        open.push(name);
        openNames.add(name);
        return new Visit(name, dependencies.get(name).iterator());
    }

    /** Closes the component of which the class is the first one. */
    private void leave(String name) {
        if (!lowest.get(name).equals(order.get(name))) {
            return;
        }
        Set<String> component = new TreeSet<>();
        String member;
        do {
            member = open.pop();
            openNames.remove(member);
            component.add(member);
        } while (!member.equals(name));
        if (component.size() > 1) {
            cycles.add(List.copyOf(component));
        }
    }
}
