// SPDX-License-Identifier: Apache-2.0
// Gaps as the server counts them, and the rates of its graphs. Both are in the profiles that the
// server makes on request.
#define _GNU_SOURCE
#include "PipeWireStreamInternal.h"

#ifdef HAS_PIPEWIRE

/// Whether a client's block in a profile is the stream's and reports that it was woken but had not
/// finished at the end of its cycle.
static bool reports_late(const PipeWireStream *s, const struct spa_pod *block) {
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

/// Reads the profile of a clock's cycle: gaps that the clock counted, or the late stream, which
/// older servers leave out of that count and newer ones include.
static void read_profile(PipeWireStream *s, const struct spa_pod *profile) {
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
      is_late = is_late || reports_late(s, &prop->value);
    }
  }
  if (count < 0 || clock < 0 || (uint32_t)clock != atomic_load(&s->clock)) return;
  // The count starts with the clock, and another clock has another count.
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
    if (spa_pod_is_object_type(profile, SPA_TYPE_OBJECT_Profiler)) read_profile(data, profile);
  }
}

static const struct pw_profiler_events profiler_events = {
  PW_VERSION_PROFILER_EVENTS, .profile = profiled};

/// Has the server make profiles. Null if it does not.
static struct pw_proxy *bind_profiler(PipeWireConnection *c) {
  if (!c->profiler) return NULL;
  if (!c->has_profiles) {
    // The module that transports profiles.
    c->has_profiles = pw.pw_context_load_module(
      c->context, PW_EXTENSION_MODULE_PROFILER, NULL, NULL) != NULL;
  }
  return pw_registry_bind(c->registry, c->profiler, PW_TYPE_INTERFACE_Profiler,
                          PW_VERSION_PROFILER, 0);
}

int64_t pipewire_stream_gaps(PipeWireStream *s) {
  PipeWireConnection *c = s->connection;
  pw.pw_thread_loop_lock(c->loop);
  if (!s->profiler && !s->is_lost) {
    s->profiler = bind_profiler(c);
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

// MARK: Rates

/// Sets the rate of the node that a block of a profile names.
static void set_node_rate(PipeWireConnection *c, const struct spa_pod *block, uint32_t rate) {
  int32_t id = -1;
  if (spa_pod_parse_struct(block, SPA_POD_Int(&id)) < 0) return;
  for (Global *g = c->globals; g; g = g->next) {
    if (g->kind == GlobalNode && g->id == (uint32_t)id && g->info.is_running) g->info.graph_rate = rate;
  }
}

static void read_graph_rates(PipeWireConnection *c, const struct spa_pod_object *profile) {
  int32_t flags = 0, clock = -1;
  const char *name;
  int64_t time = 0;
  struct spa_fraction rate = {0};
  const struct spa_pod_prop *prop = spa_pod_object_find_prop(profile, NULL, SPA_PROFILER_clock);
  if (!prop || spa_pod_parse_struct(&prop->value, SPA_POD_Int(&flags), SPA_POD_Int(&clock),
                                    SPA_POD_String(&name), SPA_POD_Long(&time),
                                    SPA_POD_Fraction(&rate)) < 0) return;
  SPA_POD_OBJECT_FOREACH(profile, prop) {
    if (prop->key == SPA_PROFILER_driverBlock || prop->key == SPA_PROFILER_followerBlock) {
      set_node_rate(c, &prop->value, rate.denom);
    }
  }
}

static void measured(void *data, const struct spa_pod *profiles) {
  PipeWireConnection *c = data;
  if (!spa_pod_is_struct(profiles)) return;
  const struct spa_pod *profile;
  SPA_POD_STRUCT_FOREACH(profiles, profile) {
    if (spa_pod_is_object_type(profile, SPA_TYPE_OBJECT_Profiler)) {
      read_graph_rates(c, (const struct spa_pod_object *)profile);
    }
  }
  pw.pw_thread_loop_signal(c->loop, false);
}

/// Whether a running node has a rate that is unknown and was not measured yet.
static bool needs_measure(PipeWireConnection *c) {
  for (const Global *g = c->globals; g; g = g->next) {
    if (g->kind == GlobalNode && g->info.is_running && !g->info.graph_rate && !g->is_measured) return true;
  }
  return false;
}

void pipewire_measure(PipeWireConnection *c) {
  static const struct pw_profiler_events events = {PW_VERSION_PROFILER_EVENTS, .profile = measured};
  pw.pw_thread_loop_lock(c->loop);
  bool is_open = c->settings.rate_count > 1 && !c->forced_rate && needs_measure(c);
  struct pw_proxy *profiler = is_open ? bind_profiler(c) : NULL;
  if (profiler) {
    struct spa_hook listener;
    spa_zero(listener);
    pw_profiler_add_listener((struct pw_profiler *)profiler, &listener, &events, c);
    struct timespec until;
    pw.pw_thread_loop_get_time(c->loop, &until, SPA_NSEC_PER_SEC / 4);
    while (c->is_alive && needs_measure(c)) {
      if (pw.pw_thread_loop_timed_wait_full(c->loop, &until) < 0) break;
    }
    spa_hook_remove(&listener);
    pw.pw_proxy_destroy(profiler);
  }
  for (Global *g = c->globals; g; g = g->next) g->is_measured = g->info.is_running;
  pw.pw_thread_loop_unlock(c->loop);
}

#else
#include "PipeWire.h"

int64_t pipewire_stream_gaps(PipeWireStream *s) { return (void)s, -1; }
void pipewire_measure(PipeWireConnection *c) { (void)c; }
#endif
