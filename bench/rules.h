/* bench/rules.h: rules of a process registry that are taken to be known: its six bugs, and
 * fourteen more: sequences of other lengths, orders, constants and guards. And rules of a queue
 * in a ring of four, as they were learned from two bugs of it: it is a long way to its bugs, over
 * many calls that are alike.
 */
#ifndef RULES_H
#define RULES_H

#define RULES_MOST 20
#define BUGS 6

static const char RULES[] =
    "rule \"1\" of registry\n"
    "  unregister(?A)\n"
    "    unless register(?A, _) came before, consumed by unregister(?A)\n"
    "rule \"2\" of registry\n"
    "  ?P = spawn()\n"
    "  register(?A, ?P) | register(?B, ?P)\n"
    "    unless unregister(?A) came between, if register(?B, ?P) is last\n"
    "    unless unregister(?B) came between, if register(?A, ?P) is last\n"
    "rule \"3\" of registry\n"
    "  ?P = spawn()\n  kill(?P)\n  register(_, ?P)\n"
    "rule \"4\" of registry\n"
    "  ?P = spawn()\n  register(?A, ?P)\n  kill(?P)\n  whereis(?A)\n"
    "    unless register(?A, _) came between\n"
    "rule \"5\" of registry\n"
    "  ?P = spawn() | ?Q = spawn()\n  register(?A, ?P) | register(?A, ?Q)\n"
    "    unless unregister(?A) came between\n"
    "    unless kill(?P) came between, if register(?A, ?Q) is last\n"
    "    unless kill(?Q) came between, if register(?A, ?P) is last\n"
    "rule \"6\" of registry\n"
    "  ?P = spawn()\n  register(?A, ?P)\n  kill(?P)\n  unregister(?A)\n"
    "    unless register(?A, _) came between\n"
    "rule \"7\" of registry\n"
    "  kill(?P)\n  kill(?P)\n  kill(?P)\n  kill(?P)\n"
    "rule \"8\" of registry\n"
    "  ?P = spawn()\n  register(?A, ?P)\n  unregister(?A)\n  register(?B, ?P)\n  unregister(?B)\n"
    "  register(?A, ?P)\n  whereis(?B)\n"
    "rule \"9\" of registry\n"
    "  (register(0, _); unregister(0)) | (register(1, _); unregister(1)) | whereis(2)\n"
    "  whereis(3)\n    unless spawn() came between\n"
    "rule \"10\" of registry\n"
    "  register(?A, ?P)\n  register(?A, ?Q)\n  register(?A, ?P)\n"
    "rule \"11\" of registry\n"
    "  whereis(4)\n  whereis(3)\n  whereis(2)\n  whereis(1)\n  whereis(0)\n"
    "    unless kill(_) came between\n    unless spawn() came between\n"
    "rule \"12\" of registry\n"
    "  register(?A, ?P) | register(?B, ?Q)\n  kill(?P) | kill(?Q)\n  spawn()\n"
    "    unless whereis(?A) came between\n    unless whereis(?B) came between\n"
    "rule \"13\" of registry\n"
    "  kill(?P) | whereis(?A)\n  register(?A, ?P)\n"
    "rule \"14\" of registry\n"
    "  register(?A, ?P)\n  whereis(?A)\n  unregister(?A)\n  whereis(?A)\n  register(?A, ?P)\n"
    "rule \"15\" of registry\n"
    "  unregister(0..1)\n  unregister(2..3)\n  unregister(4)\n  kill(_)\n"
    "    unless register(_, _) came between\n"
    "rule \"16\" of registry\n"
    "  ?P = spawn()\n  whereis(?A)\n  register(?A, ?P)\n  whereis(?A)\n  kill(?P)\n  "
    "whereis(?A)\n"
    "rule \"17\" of registry\n"
    "  1: kill(?P)\n  2: kill(?Q)\n  3: register(?A, ?P) after 1\n"
    "  4: register(?B, ?Q) after 1, 2\n  5: whereis(?B) after 3\n"
    "rule \"18\" of registry\n"
    "  register(?A, ?P)\n  unregister(?A)\n  unregister(?A)\n  register(?A, ?P)\n"
    "rule \"19\" of registry\n"
    "  whereis(?A) | whereis(?B) | unregister(?C)\n  register(?A, ?P)\n  register(?B, ?P)\n"
    "  register(?C, ?P)\n"
    "rule \"20\" of registry\n"
    "  ?P = spawn()\n  register(?A, ?P)\n  unregister(?A)\n  kill(?P)\n  register(?A, _)\n"
    "  register(?A, ?P)\n";

#define QUEUE_RULES_MOST 6

static const char QUEUE_RULES[] =
    "rule \"1\" of queue\n"
    "  push(?A)\n  push(?B)\n  push(?C)\n  push(?D)\n  clear()\n  pop()\n"
    "    unless push(?A) came between, consumed by pop()\n    unless clear() came between\n"
    "rule \"2\" of queue\n"
    "  push(?A)\n  push(?B)\n  push(?C)\n  push(?D)\n  clear()\n  len()\n"
    "    unless clear() came between\n"
    "rule \"3\" of queue\n"
    "  push(?A)\n  push(?B)\n  push(?C)\n  push(?D)\n  clear()\n  push(?E)\n  push(?F)\n"
    "  push(?G) | push(?H)\n    unless clear() came between\n"
    "rule \"4\" of queue\n"
    "  (push(?A); push(?B) | pop() | pop() | pop()) | push(?C) | push(?D) | push(?E)\n"
    "  push(?F)\n  pop() | pop()\n"
    "rule \"5\" of queue\n"
    "  push(?A)\n  push(?B)\n  push(?C)\n  push(?D)\n  clear()\n  push(?E)\n  push(?A)\n  pop()\n"
    "rule \"6\" of queue\n"
    "  1: push(?A)\n  2: push(?B) after 1\n  3: pop() after 1\n  4: push(?C)\n"
    "  5: push(?D) after 2, 3, 4\n  6: pop() after 1\n  7: push(?E)\n"
    "  8: push(?F) after 5, 6, 7\n  9: pop() after 8\n  10: pop() after 9\n  11: pop() after 9\n";

#endif
