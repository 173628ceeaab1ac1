// SPDX-License-Identifier: Apache-2.0
// The C half of this module, from the target COperatingSystem: os_unfair_lock and its functions.
@_exported import os
