// SPDX-License-Identifier: Apache-2.0
// Prints the name and the hash of each sound of Driver.swift.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

int32_t sound_count(void);
uint64_t sound_hash(int32_t index);

int main(void) {
  for (int32_t index = 0; index < sound_count(); index++)
    printf("%" PRId32 " %016" PRIx64 "\n", index, sound_hash(index));
}
