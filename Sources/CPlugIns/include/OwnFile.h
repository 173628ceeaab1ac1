// SPDX-License-Identifier: Apache-2.0
#pragma once

/// The path of the shared library that contains this function; NULL if it is in the program. [any thread]
const char *plug_in_own_library(void);
