# find_package(Bespoke): gives bespoke_add_containers. Installed as <prefix>/share/bespoke/cmake/, beside the generator.
include("${CMAKE_CURRENT_LIST_DIR}/BespokeContainers.cmake")
