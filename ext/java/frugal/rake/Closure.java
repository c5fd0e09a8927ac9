package frugal.rake;

import java.util.ArrayDeque;
import java.util.IdentityHashMap;
import java.util.Map;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;

/**
 * All direct and indirect prerequisites of file tasks, as they are found from one scope. Valid as long as the facts and
 * times of its plan.
 *
 * <p>Rake visits the closure of each task again, which takes O(V * E) for a graph. Here the result of each task is
 * kept. There are two depth-first searches. They have their own stack, because a graph may be deeper than a thread's
 * stack: one proves that each prerequisite is a task whose behaviour is known, that a look-up from this scope finds it,
 * and that there is no circle; one collects the times.
 */
final class Closure {
    private final Plan plan;
    private final Scopes.Scope scope;
    private final Map<IRubyObject, Node> nodes = new IdentityHashMap<>();

    /** One task in the closure. */
    private static final class Node {
        final Facts facts;
        /** The prerequisites, as far as they were found. */
        final Node[] edges;
        /** The next edge of a search; both searches start at 0. */
        int next;
        /** Null while the search is below this task. */
        Boolean proven;
        boolean timed;
        /** The latest time of the prerequisites, or -1. */
        long latest = -1;
        /** Whether a file is missing, a task without a file (its time is now) is among them, or a time was refused. */
        boolean missing;
        boolean now;
        boolean fault;

        Node(Facts facts) {
            this.facts = facts;
            this.edges = facts.names == null ? null : new Node[facts.names.length];
        }
    }

    Closure(Plan plan, Scopes.Scope scope) {
        this.plan = plan;
        this.scope = scope;
    }

    /** Whether the behaviour of every prerequisite is known, and Rake would find each one from this scope. */
    boolean proven(ThreadContext context, Facts root) {
        return prove(context, root).proven;
    }

    /** @return null if it cannot be proven */
    Boolean outOfDate(ThreadContext context, Facts root, long stamp) {
        Facts[] leaves = leaves(context, root);
        if (leaves != null) {
            for (Facts leaf : leaves) {
                Boolean later = later(context, leaf, stamp);
                if (later == null || later) return later;
            }
            return false;
        }
        Node node = prove(context, root);
        if (!node.proven) return null;

        // Rake stops at the first later time. So the first prerequisites are checked one by one, up to and including
        // one that has prerequisites itself: a chain that is rebuilt link by link is not searched to its end for each.
        boolean complete = true;
        for (Node edge : node.edges) {
            Boolean later = later(context, edge.facts, stamp);
            if (later == null || later) return later;
            if (edge.edges.length > 0) {
                complete = false;
                break;
            }
        }
        if (complete) return false;
        collect(node);
        return node.fault ? null : (Boolean) later(context, node, stamp);
    }

    /** The prerequisites, if all are proven and have no prerequisites themselves; otherwise null. */
    private Facts[] leaves(ThreadContext context, Facts root) {
        if (root.names == null || root.scope == null) return null;
        Facts[] leaves = new Facts[root.names.length];
        for (int i = 0; i < leaves.length; i++) {
            Facts leaf = root.lasting() ? root.found(i) : null;
            if (leaf == null) {
                IRubyObject task = Names.provable(root.names[i]) ? plan.find(context, root.scope, root.names[i]) : null;
                if (task == null) return null;
                leaf = plan.facts(context, task);
            }
            if (leaf.names == null || leaf.names.length > 0 || leaf.task == root.task) return null;
            if (!foundByName(context, leaf, root.scope, root.names[i])) return null;
            leaves[i] = leaf;
        }
        return leaves;
    }

    private Node prove(ThreadContext context, Facts root) {
        Node first = nodes.get(root.task);
        if (first != null) return first;

        first = open(root);
        ArrayDeque<Node> stack = new ArrayDeque<>();
        stack.push(first);
        while (!stack.isEmpty()) {
            Node node = stack.peek();
            if (node.edges != null && node.next == node.edges.length) {
                node.proven = true;
                node.next = 0;
                stack.pop();
            } else if (!advance(context, stack, node)) {
                for (Node open : stack) open.proven = false;
                stack.clear();
            }
        }
        return first;
    }

    /** @return false if something cannot be proven */
    private boolean advance(ThreadContext context, ArrayDeque<Node> stack, Node node) {
        Facts facts = node.facts;
        if (node.edges == null || facts.scope == null) return false;
        IRubyObject name = facts.names[node.next];
        IRubyObject task = Names.provable(name) ? plan.find(context, facts.scope, name) : null;
        if (task == null || task == facts.task) return false;

        Node edge = nodes.get(task);
        if (edge == null) {
            Facts found = plan.facts(context, task);
            if (!foundByName(context, found, facts.scope, name)) return false;
            edge = open(found);
            if (edge.edges != null && edge.edges.length == 0) edge.proven = true;
            else stack.push(edge);
        } else if (edge.proven == null || !edge.proven || !foundByName(context, edge.facts, facts.scope, name)) {
            return false; // a circle, or a task that was not proven before
        }
        node.edges[node.next++] = edge;
        return true;
    }

    private Node open(Facts facts) {
        Node node = new Node(facts);
        nodes.put(facts.task, node);
        return node;
    }

    /**
     * Whether a look-up of the task's name finds the task: Rake looks up each name of a closure from the scope of its
     * root. This is certain if the task was found by that name and from that scope.
     */
    private boolean foundByName(ThreadContext context, Facts facts, Scopes.Scope from, IRubyObject name) {
        if (facts.kind == Facts.FOREIGN || !facts.provable) return false;
        if (from == scope && ((RubyString) name).eql(facts.name)) return true;
        return plan.find(context, scope, facts.name) == facts.task;
    }

    /** Collects the times of a proven task's prerequisites. */
    private void collect(Node root) {
        if (root.timed) return;
        ArrayDeque<Node> stack = new ArrayDeque<>();
        stack.push(root);
        while (!stack.isEmpty()) {
            Node node = stack.peek();
            if (node.next == node.edges.length) {
                node.timed = true;
                stack.pop();
                continue;
            }
            Node edge = node.edges[node.next];
            if (!edge.timed) {
                stack.push(edge); // and come back to the same prerequisite
                continue;
            }
            node.next++;
            addOwn(node, edge);
            node.latest = Math.max(node.latest, edge.latest);
            node.missing |= edge.missing;
            node.now |= edge.now;
            node.fault |= edge.fault;
        }
    }

    /** Adds the time of a prerequisite itself. A FileCreationTask has a time that is not later than any other. */
    private void addOwn(Node node, Node edge) {
        if (edge.facts.kind == Facts.CREATION) return;
        if (edge.facts.kind != Facts.FILE) {
            node.now = true;
            return;
        }
        long time = plan.time(edge.facts);
        if (time >= 0) node.latest = Math.max(node.latest, time);
        else if (time == FileTimes.MISSING) node.missing = true;
        else node.fault = true;
    }

    /** Whether a task itself is later. Null if the kernel refused the time of its file. */
    private Boolean later(ThreadContext context, Facts task, long stamp) {
        if (task.kind == Facts.CREATION) return false;
        if (task.kind != Facts.FILE) return Plan.now(context) > stamp;
        long time = plan.time(task);
        if (time == FileTimes.MISSING || time > stamp) return true;
        return time >= 0 ? Boolean.FALSE : null;
    }

    /** The current time is compared too: a stamp may be in the future. A file with the same time is not newer. */
    private static boolean later(ThreadContext context, Node times, long stamp) {
        if (times.missing || times.latest > stamp) return true;
        return times.now && Plan.now(context) > stamp;
    }
}
