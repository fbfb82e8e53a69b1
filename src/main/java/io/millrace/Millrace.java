package io.millrace;

/** Entry point. */
public final class Millrace {
    private Millrace() {}

    static void main(String[] args) {
        System.out.println("hello");
    }
}
