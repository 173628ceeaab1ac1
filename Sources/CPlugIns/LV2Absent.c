// SPDX-License-Identifier: Apache-2.0
// The functions of LV2Host.h in a build without the headers of LV2: there are no instances.
#include "LV2Host.h"

#if !__has_include(<lv2/core/lv2.h>)

bool lv2_is_built(void) { return false; }
const void *lv2_map_feature(void) { return NULL; }
const void *lv2_unmap_feature(void) { return NULL; }
bool lv2_has_feature(const char *uri) { return uri && false; }
bool lv2_is_complete(void *function, const char *uri) { return (void)function, (void)uri, true; }
LV2Host *lv2_make(const LilvPlugin *plugin, const LV2Setup *setup, char *reason, size_t reason_size) {
  (void)plugin, (void)setup;
  if (reason_size > 0) *reason = 0;
  return NULL;
}
void lv2_free(LV2Host *host) { (void)host; }
LilvInstance *lv2_instance(LV2Host *host) { return (void)host, NULL; }
void lv2_connect(LV2Host *host, uint32_t port, void *data) { (void)host, (void)port, (void)data; }
void lv2_activate(LV2Host *host) { (void)host; }
void lv2_deactivate(LV2Host *host) { (void)host; }
void lv2_lock_work(LV2Host *host) { (void)host; }
void lv2_unlock_work(LV2Host *host) { (void)host; }
void lv2_reset(LV2Host *host) { (void)host; }
void lv2_begin(LV2Host *host) { (void)host; }
bool lv2_add_midi(LV2Host *host, uint32_t frame, const uint8_t *bytes, uint32_t count) {
  return (void)host, (void)frame, (void)bytes, (void)count, false;
}
bool lv2_add_position(LV2Host *host, const LV2Position *position) { return (void)host, (void)position, false; }
void lv2_run(LV2Host *host, uint32_t frames, bool is_offline) { (void)host, (void)frames, (void)is_offline; }
bool lv2_next_midi(LV2Host *host, uint32_t *position, uint32_t *frame, const uint8_t **bytes, uint32_t *count) {
  return (void)host, (void)position, (void)frame, (void)bytes, (void)count, false;
}

#endif
