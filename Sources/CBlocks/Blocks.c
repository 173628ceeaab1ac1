// SPDX-License-Identifier: Apache-2.0
#include "CBlocks.h"

// Of the library for blocks that comes with Swift.
void *_Block_copy(const void *block);
void _Block_release(const void *block);

const void *block_copy(const void *block) { return _Block_copy(block); }

void block_release(const void *block) { _Block_release(block); }
