package io.millrace.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClassCyclesTest {

    @Test
    void shouldFindCyclesOfTopLevelClassesOnly() {
        assertThat(ClassCycles.of(new ClassFileImporter()
                        .importClasses(
                                First.class,
                                First.Nested.class,
                                Second.class,
                                Third.class,
                                Before.class,
                                Alone.class,
                                Alone.Nested.class)))
                .containsExactly(List.of(First.class.getName(), Second.class.getName(), Third.class.getName()));
    }
}

class Before {
    First first = new First();
}

class First {
    static class Nested {
        Second[] seconds = {};
    }
}

class Second {
    Third third = new Third();
    Alone alone = new Alone();
}

class Third {
    First.Nested nested = new First.Nested();
}

class Alone {
    static class Nested {
        Alone alone = new Alone();
    }
}
