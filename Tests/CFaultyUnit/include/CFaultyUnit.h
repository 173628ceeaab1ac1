// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Registers effects as somebody else writes them, in C: one that is right, of the codes aufx fine
/// Flty, and for each check of the validator one with a fault that the check is for.
void faulty_units_register(void);

/// Registers the unit with fault `index`; below 0, the one that is right.
void faulty_unit_register(int index);

/// How many faults there are.
int faulty_unit_count(void);

/// The name of the check that fault `index` is for.
const char *faulty_unit_check(int index);

/// The type and the subtype of the unit with fault `index`.
unsigned faulty_unit_type(int index);
unsigned faulty_unit_subtype(int index);
