package io.millrace.expression.bytecode;

import io.millrace.expression.ir.Relation;
import java.lang.classfile.CodeBuilder;

/** Writes the code that compares longs by arithmetic: each result is a long on the stack, 0 or 1. */
final class BranchFreeLongs {

    private final CodeBuilder code;

    BranchFreeLongs(CodeBuilder code) {
        this.code = code;
    }

    /** Replaces 0 on the stack by 1, and 1 by 0. */
    void not() {
        code.lconst_1().lxor();
    }

    /** Replaces a long on the stack by 1 if it is negative, else by 0. */
    void sign() {
        code.loadConstant(Long.SIZE - 1);
        code.lushr();
    }

    /** Pushes whether the long in a local variable has a relation to a constant. */
    void compare(Relation relation, int value, long constant, boolean nonNegative) {
        switch (relation) {
            case EQ, NE -> {
                code.lload(value).loadConstant(constant);
                code.lxor();
                differs(nonNegative && constant >= 0);
                if (relation == Relation.EQ) {
                    not();
                }
            }
            case LT -> less(value, constant);
            case GE -> {
                less(value, constant);
                not();
            }
            case LE, GT -> {
                if (constant == Long.MAX_VALUE) {
                    code.lconst_1();
                } else {
                    less(value, constant + 1);
                }
                if (relation == Relation.GT) {
                    not();
                }
            }
        }
    }

    /**
     * Pushes whether a value is less than a constant. Numbers of the same sign have a difference that never overflows.
     */
    void less(int value, long constant) {
        code.lload(value).lload(value).loadConstant(constant);
        code.lsub();
        if (constant >= 0) {
            code.lor();
        } else {
            code.land();
        }
        sign();
    }

    /** Pushes whether the longs in two local variables have a relation. */
    void compare(Relation relation, int left, int right) {
        switch (relation) {
            case EQ, NE -> {
                code.lload(left).lload(right).lxor();
                differs(false);
                if (relation == Relation.EQ) {
                    not();
                }
            }
            case LT -> less(left, right);
            case GT -> less(right, left);
            case GE -> {
                less(left, right);
                not();
            }
            case LE -> {
                less(right, left);
                not();
            }
        }
    }

    /** Pushes whether a long is less than another (H. S. Warren, "Hacker's Delight", 2-12). */
    private void less(int left, int right) {
        code.lload(left).lload(right);
        code.loadConstant(-1L);
        code.lxor().land();
        code.lload(left).lload(right).lxor().loadConstant(-1L);
        code.lxor().lload(left).lload(right).lsub().land().lor();
        sign();
    }

    /** Replaces the exclusive or of two numbers on the stack by 1 unless it is zero. */
    void differs(boolean positive) {
        if (positive) {
            code.lneg();
        } else {
            code.dup2().lneg().lor();
        }
        sign();
    }
}
