# The evaluators are those of the study `systemf`.
target_sources(${program} PRIVATE ${PROJECT_SOURCE_DIR}/studies/systemf/evaluate.c)
target_include_directories(${program} PRIVATE ${PROJECT_SOURCE_DIR}/studies/systemf)
target_compile_definitions(${program} PRIVATE MANY_MUTANTS)
