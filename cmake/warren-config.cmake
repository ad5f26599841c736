# find_package(warren): the targets warren::warren (shared) and warren::static.
include("${CMAKE_CURRENT_LIST_DIR}/warren-targets.cmake")
