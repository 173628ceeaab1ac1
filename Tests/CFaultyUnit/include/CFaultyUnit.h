// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Registers third-party effects written in C: a correct one, with the codes aufx fine Flty, and
/// one with a fault for each check of the validator.
void faulty_units_register(void);

/// Registers the unit with fault `index`, or the correct one if `index` is negative.
void faulty_unit_register(int index);

/// The number of faults.
int faulty_unit_count(void);

/// The name of the check for fault `index`.
const char *faulty_unit_check(int index);

/// The type and the subtype of the unit with fault `index`.
unsigned faulty_unit_type(int index);
unsigned faulty_unit_subtype(int index);
