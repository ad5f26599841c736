/* abi_layout.c: where compiled programs find the members of public structs. Compiling it is the
 * test.
 *
 * A number that is in a released version never changes while the SONAME stays; warren.h says how
 * a struct grows. The only changes are a line for a new member, at the place where `reserve_`
 * was, and the new place of `reserve_`.
 */
#include <warren.h>
#include <warren/cover.h>

#if UINTPTR_MAX == UINT64_MAX
#define AT(type, member, place)                                                                  \
    _Static_assert(offsetof(type, member) == (place), #type "." #member " has moved")
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has another size")

AT(wr_options, name, 0);
AT(wr_options, cases, 8);
AT(wr_options, time_ms, 16);
AT(wr_options, size, 24);
AT(wr_options, deadline_ms, 32);
AT(wr_options, memory, 40);
AT(wr_options, shrink_time_ms, 48);
AT(wr_options, seed, 56);
AT(wr_options, skip, 64);
AT(wr_options, many_bugs, 72);
AT(wr_options, fork_each, 73);
AT(wr_options, may_draw_nothing, 74);
AT(wr_options, until_stable, 75);
AT(wr_options, explore, 76);
AT(wr_options, redraw, 80);
AT(wr_options, check_coverage, 84);
AT(wr_options, setup, 88);
AT(wr_options, teardown, 96);
AT(wr_options, worker_setup, 104);
AT(wr_options, worker_teardown, 112);
AT(wr_options, processes, 120);
AT(wr_options, faults, 128);
AT(wr_options, reserve_, 136);
SIZE(wr_options, 184);

AT(wr_kind, name, 0);
AT(wr_kind, values, 8);
AT(wr_kind, draw, 16);
AT(wr_kind, show, 24);
AT(wr_kind, symmetric, 32);
AT(wr_kind, abstract, 40);
AT(wr_kind, handle, 48);
AT(wr_kind, type, 56);
AT(wr_kind, equal, 64);
AT(wr_kind, hash, 72);
AT(wr_kind, release, 80);
AT(wr_kind, draw_in, 88);
AT(wr_kind, reserve_, 96);
SIZE(wr_kind, 136);

AT(wr_command, name, 0);
AT(wr_command, call, 8);
AT(wr_command, takes, 16);
AT(wr_command, gives, 80);
AT(wr_command, consumes, 88);
AT(wr_command, when, 96);
AT(wr_command, weight, 104);
AT(wr_command, observer, 108);
AT(wr_command, gives_also, 112);
AT(wr_command, known_bug, 128);
AT(wr_command, no_faults, 136);
AT(wr_command, like, 144);
AT(wr_command, reserve_, 152);
SIZE(wr_command, 160);

AT(wr_macro, name, 0);
AT(wr_macro, commands, 8);
AT(wr_macro, weight, 136);
AT(wr_macro, first, 140);
AT(wr_macro, reserve_, 144);
SIZE(wr_macro, 176);

AT(wr_machine, commands, 0);
AT(wr_machine, macros, 8);
AT(wr_machine, calls, 16);
AT(wr_machine, model_size, 24);
AT(wr_machine, start, 32);
AT(wr_machine, stop, 40);
AT(wr_machine, invariant, 48);
AT(wr_machine, copy, 56);
AT(wr_machine, free, 64);
AT(wr_machine, equal, 72);
AT(wr_machine, hash, 80);
AT(wr_machine, options, 88);
AT(wr_machine, system_size, 272);
AT(wr_machine, faults, 280);
AT(wr_machine, reserve_, 288);
SIZE(wr_machine, 336);

AT(wr_con, name, 0);
AT(wr_con, args, 8);
AT(wr_con, index, 72);
AT(wr_con, cost, 80);
AT(wr_con, show, 88);
AT(wr_con, reserve_, 96);
SIZE(wr_con, 128);

AT(wr_type, name, 0);
AT(wr_type, constructors, 8);
SIZE(wr_type, 16);

AT(wr_constant, name, 0);
AT(wr_constant, value, 8);
SIZE(wr_constant, 16);

AT(wr_recursion, label, 0);
AT(wr_recursion, leaves, 8);
AT(wr_recursion, forms, 16);
AT(wr_recursion, weights, 24);
AT(wr_recursion, grow, 32);
AT(wr_recursion, context, 40);
SIZE(wr_recursion, 48);

AT(wr_covering_options, seed, 0);
AT(wr_covering_options, moves, 8);
AT(wr_covering_options, seconds, 16);
AT(wr_covering_options, radix, 24);
AT(wr_covering_options, radix_no_local, 28);
AT(wr_covering_options, reserve_, 32);
SIZE(wr_covering_options, 96);

AT(wr_node, tag_, 0);
AT(wr_node, arity_, 4);
AT(wr_node, position_, 5);
AT(wr_node, indexed_, 6);
AT(wr_node, split_, 7);
AT(wr_node, args_, 8);
AT(wr_node, type_, 16);
AT(wr_node, tree_, 24);
AT(wr_node, parent_, 32);
AT(wr_node, index_, 40);
AT(wr_node, size_, 44);
AT(wr_node, index_size_, 48);
AT(wr_node, span_, 52);
AT(wr_node, counterpart_, 56);
AT(wr_node, opened_, 60);
SIZE(wr_node, 64);

AT(wr_property_, name, 0);
AT(wr_property_, file, 8);
AT(wr_property_, line, 16);
AT(wr_property_, body, 24);
AT(wr_property_, options, 32);
AT(wr_property_, next, 40);
AT(wr_property_, machine, 48);
SIZE(wr_property_, 56);

AT(wr_site_, label, 0);
AT(wr_site_, file, 8);
AT(wr_site_, condition, 16);
AT(wr_site_, line, 24);
AT(wr_site_, sort, 28);
AT(wr_site_, percent, 32);
AT(wr_site_, place, 40);
AT(wr_site_, epoch, 44);
SIZE(wr_site_, 48);

AT(wr_any_, sort, 0);
AT(wr_any_, as, 8);
AT(wr_any_, real, 16);
SIZE(wr_any_, 32);
#endif
