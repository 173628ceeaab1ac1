// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// A block of the type AUInternalRenderBlock, which the caller owns: a gate.
const void *make_gate_block(float threshold);

#ifdef __cplusplus
}
#endif
