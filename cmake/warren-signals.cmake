# warren_signals(TARGET...): the C and C++ files of these targets are instrumented, so that Warren
# sees which places a case comes to and what it compares (docs/signals.md). Call it for the code
# under test and for the test program. Compiling only: nothing is added to linking.
function(warren_signals)
  set(gnu -fsanitize-coverage=trace-pc,trace-cmp)
  set(clang -fsanitize-coverage=inline-8bit-counters,pc-table,trace-cmp)
  foreach(target IN LISTS ARGN)
    foreach(language C CXX)
      target_compile_options(${target} PRIVATE
        $<$<COMPILE_LANG_AND_ID:${language},GNU>:${gnu}>
        $<$<COMPILE_LANG_AND_ID:${language},Clang,AppleClang>:${clang}>)
    endforeach()
    target_compile_definitions(${target} PRIVATE WR_SIGNALS)
  endforeach()
endfunction()
