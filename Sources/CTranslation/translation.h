// SPDX-License-Identifier: Apache-2.0
// The system's message catalogues for Swift, whose own module of the C library leaves them out.

#ifndef CTRANSLATION_H
#define CTRANSLATION_H

#include <libintl.h>

#endif
