// SPDX-License-Identifier: Apache-2.0
// The system's message catalogues, which Swift's own module of the C library leaves out.

#ifndef CTRANSLATION_H
#define CTRANSLATION_H

#include <libintl.h>

#endif
