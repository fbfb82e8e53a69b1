package io.millrace.cli.file;

import java.io.Console;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Whether a standard stream of this process is a terminal, by {@code isatty} of the C library. {@link Console} reports
 * only whether standard input and output both are.
 */
final class Terminal {

    private static final int OUT = 1;
    private static final int ERR = 2;

    private Terminal() {}

    static boolean isOut() {
        return isTerminal(OUT);
    }

    static boolean isErr() {
        return isTerminal(ERR);
    }

    @SuppressWarnings("restricted") // the function takes a number and returns a number
    private static boolean isTerminal(int descriptor) {
        try {
            Linker linker = Linker.nativeLinker();
            MemorySegment function = linker.defaultLookup()
                    .find("isatty")
                    .or(() -> SymbolLookup.libraryLookup("ucrtbase", Arena.global())
                            .find("_isatty"))
                    .orElseThrow();
            MethodHandle isTerminal =
                    linker.downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
            return (int) isTerminal.invokeExact(descriptor) != 0;
        } catch (Throwable _) { // such as no permission for native functions, or another C library
            return Optional.ofNullable(System.console())
                    .map(Console::isTerminal)
                    .orElse(false);
        }
    }
}
