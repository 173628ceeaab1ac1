// SPDX-License-Identifier: Apache-2.0
// Gaps as the server counts them: it tells of them in the profiles that it makes for those who ask.
#define _GNU_SOURCE
#include "PipeWireInside.h"

#ifdef HAS_PIPEWIRE

/// Whether a profile's block of a client is that of the stream, and says that it was woken and had not
/// finished when its cycle was over.
static bool says_late(const PipeWireStream *s, const struct spa_pod *block) {
  enum { TRIGGERED = 1, AWAKE = 2 };
  int32_t id = -1, status = 0;
  const char *name;
  int64_t times[4];
  if (spa_pod_parse_struct(block, SPA_POD_Int(&id), SPA_POD_String(&name),
                           SPA_POD_Long(&times[0]), SPA_POD_Long(&times[1]),
                           SPA_POD_Long(&times[2]), SPA_POD_Long(&times[3]),
                           SPA_POD_Int(&status)) < 0) return false;
  const uint32_t own = s->filter ? pw.pw_filter_get_node_id(s->filter)
                                 : pw.pw_stream_get_node_id(s->stream);
  return (uint32_t)id == own && (status == TRIGGERED || status == AWAKE);
}

/// What the profile of one clock's cycle says: gaps that the clock counted, or that the stream was late,
/// which older servers leave out of that count and newer ones do not.
static void take_profile(PipeWireStream *s, const struct spa_pod *profile) {
  int64_t cycles = 0;
  float loads[3];
  int32_t flags = 0, clock = -1, count = -1;
  bool is_late = false;
  const struct spa_pod_prop *prop;
  SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *)profile, prop) {
    if (prop->key == SPA_PROFILER_info) {
      if (spa_pod_parse_struct(&prop->value, SPA_POD_Long(&cycles), SPA_POD_Float(&loads[0]),
                               SPA_POD_Float(&loads[1]), SPA_POD_Float(&loads[2]),
                               SPA_POD_Int(&count)) < 0) return;
    } else if (prop->key == SPA_PROFILER_clock) {
      if (spa_pod_parse_struct(&prop->value, SPA_POD_Int(&flags), SPA_POD_Int(&clock)) < 0) return;
    } else if (prop->key == SPA_PROFILER_followerBlock) {
      is_late = is_late || says_late(s, &prop->value);
    }
  }
  if (count < 0 || clock < 0 || (uint32_t)clock != atomic_load(&s->clock)) return;
  // It counts since it began; another clock has another count.
  int32_t counted = 0;
  if (s->has_profile && s->counted_clock == (uint32_t)clock && count > s->counted) {
    counted = count - s->counted;
  }
  s->gaps += counted > 0 ? counted : is_late;
  s->has_profile = true;
  s->counted_clock = (uint32_t)clock;
  s->counted = count;
}

static void profiled(void *data, const struct spa_pod *profiles) {
  if (!spa_pod_is_struct(profiles)) return;
  const struct spa_pod *profile;
  SPA_POD_STRUCT_FOREACH(profiles, profile) {
    if (spa_pod_is_object_type(profile, SPA_TYPE_OBJECT_Profiler)) take_profile(data, profile);
  }
}

static const struct pw_profiler_events profiler_events = {
  PW_VERSION_PROFILER_EVENTS, .profile = profiled};

int64_t pipewire_stream_gaps(PipeWireStream *s) {
  PipeWireConnection *c = s->connection;
  pw.pw_thread_loop_lock(c->loop);
  if (!s->profiler && c->profiler && !s->is_lost) {
    // How profiles travel.
    pw.pw_context_load_module(c->context, PW_EXTENSION_MODULE_PROFILER, NULL, NULL);
    s->profiler = pw_registry_bind(c->registry, c->profiler, PW_TYPE_INTERFACE_Profiler,
                                   PW_VERSION_PROFILER, 0);
    if (s->profiler) {
      pw_profiler_add_listener((struct pw_profiler *)s->profiler, &s->profiler_listener,
                               &profiler_events, s);
    }
  }
  int64_t gaps = s->has_profile ? s->gaps : -1;
  pw.pw_thread_loop_unlock(c->loop);
  return gaps;
}

void pipewire_end_profile(PipeWireStream *s) {
  if (!s->profiler) return;
  spa_hook_remove(&s->profiler_listener);
  pw.pw_proxy_destroy(s->profiler);
}

#else
#include "PipeWire.h"

int64_t pipewire_stream_gaps(PipeWireStream *s) { return (void)s, -1; }
#endif
