# find_package(warren): the targets warren::warren (shared) and warren::static, for covering arrays
# warren::cover and warren::cover_static, and the functions warren_signals(TARGET...) and
# warren_discover_tests(TARGET).
include("${CMAKE_CURRENT_LIST_DIR}/warren-targets.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/warren-signals.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/warren-discover-tests.cmake")
