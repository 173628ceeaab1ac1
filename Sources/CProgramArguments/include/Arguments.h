// SPDX-License-Identifier: Apache-2.0
// The arguments of a program where there is no /proc: linking this is enough.
#pragma once
