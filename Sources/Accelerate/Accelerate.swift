// SPDX-License-Identifier: Apache-2.0
// The C half of this module, from the target CAccelerate.
@_exported import Accelerate
