// SPDX-License-Identifier: Apache-2.0
// The descriptions of sinks and sources on the server, and changes of them.
#include "PipeWireLibrary.h"

#ifdef HAS_PIPEWIRE
#include <spa/param/props.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void notify_changed(PipeWireConnection *c) {
  if (c->observer.changed) c->observer.changed(c->observer.context);
}

static void copy_property(const char **place, const struct spa_dict *props, const char *key) {
  const char *value = spa_dict_lookup(props, key);
  if (*place && value && !strcmp(*place, value)) return;
  free((char *)*place);
  *place = value ? strdup(value) : NULL;
}

static void node_info(void *data, const struct pw_node_info *info) {
  Global *g = data;
  PipeWireNode *node = &g->info;
  bool was_running = node->is_running;
  node->is_running = info->state == PW_NODE_STATE_RUNNING;
  if (was_running != node->is_running) {
    node->graph_rate = 0;
    g->is_measured = false;
  }
  if (info->props && (info->change_mask & PW_NODE_CHANGE_MASK_PROPS)) {
    copy_property(&node->bus, info->props, PW_KEY_DEVICE_BUS);
    copy_property(&node->form, info->props, PW_KEY_DEVICE_FORM_FACTOR);
    copy_property(&node->icon_name, info->props, PW_KEY_DEVICE_ICON_NAME);
    copy_property(&node->maker, info->props, PW_KEY_DEVICE_VENDOR_NAME);
    copy_property(&node->model, info->props, PW_KEY_DEVICE_PRODUCT_NAME);
    copy_property(&node->serial_number, info->props, PW_KEY_DEVICE_SERIAL);
    copy_property(&node->card, info->props, PW_KEY_DEVICE_ID);
  }
  bool has_changed = !node->is_described || was_running != node->is_running;
  node->is_described = true;
  if (has_changed) notify_changed(g->connection);
}

static void node_param(void *data, int sequence, uint32_t id, uint32_t index, uint32_t next,
                       const struct spa_pod *param) {
  (void)sequence, (void)index, (void)next;
  Global *g = data;
  if (id != SPA_PARAM_Props || !param || !spa_pod_is_object(param)) return;
  PipeWireNode *node = &g->info;
  const struct spa_pod_prop *property;
  SPA_POD_OBJECT_FOREACH((const struct spa_pod_object *)param, property) {
    if (property->key == SPA_PROP_channelVolumes) {
      node->volume_count = spa_pod_copy_array(
        &property->value, SPA_TYPE_Float, node->volumes, PipeWireMaximumChannels);
    } else if (property->key == SPA_PROP_mute) {
      node->has_mute = spa_pod_get_bool(&property->value, &node->is_muted) >= 0;
    }
  }
  notify_changed(g->connection);
}

static const struct pw_node_events node_events = {
  PW_VERSION_NODE_EVENTS, .info = node_info, .param = node_param};

void pipewire_describe(Global *g) {
  g->proxy = pw_registry_bind(g->connection->registry, g->id, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, 0);
  if (!g->proxy) return;
  pw_node_add_listener((struct pw_node *)g->proxy, &g->listener, &node_events, g);
  uint32_t params[] = {SPA_PARAM_Props};
  pw_node_subscribe_params((struct pw_node *)g->proxy, params, 1);
}

void pipewire_free_info(Global *g) {
  const char **texts[] = {&g->info.bus, &g->info.form, &g->info.icon_name, &g->info.maker,
                          &g->info.model, &g->info.serial_number, &g->info.card};
  for (size_t i = 0; i < LIBRARY_COUNT(texts); i++) {
    free((char *)*texts[i]);
    *texts[i] = NULL;
  }
}

// MARK: Changes

static bool set_props(PipeWireConnection *c, const char *name, bool is_sink, uint32_t key,
                      const float *volumes, uint32_t count, bool is_muted) {
  pw.pw_thread_loop_lock(c->loop);
  const Global *g = pipewire_find_node(c, name, is_sink);
  bool can = g && g->proxy && (key == SPA_PROP_mute ? g->info.has_mute : g->info.volume_count > 0);
  if (can) {
    uint8_t memory[1024];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(memory, sizeof memory);
    struct spa_pod_frame frame;
    spa_pod_builder_push_object(&builder, &frame, SPA_TYPE_OBJECT_Props, SPA_PARAM_Props);
    spa_pod_builder_prop(&builder, key, 0);
    if (key == SPA_PROP_mute) {
      spa_pod_builder_bool(&builder, is_muted);
    } else {
      spa_pod_builder_array(&builder, sizeof(float), SPA_TYPE_Float, count, volumes);
    }
    struct spa_pod *pod = spa_pod_builder_pop(&builder, &frame);
    can = pod && pw_node_set_param((struct pw_node *)g->proxy, SPA_PARAM_Props, 0, pod) >= 0;
  }
  // The server sends the change before its second answer.
  can = can && pipewire_synchronise(c) && pipewire_synchronise(c);
  pw.pw_thread_loop_unlock(c->loop);
  return can;
}

bool pipewire_set_volumes(PipeWireConnection *c, const char *node, bool is_sink, const float *volumes,
                          uint32_t count) {
  if (count > PipeWireMaximumChannels) return false;
  return set_props(c, node, is_sink, SPA_PROP_channelVolumes, volumes, count, false);
}

bool pipewire_set_mute(PipeWireConnection *c, const char *node, bool is_sink, bool is_muted) {
  return set_props(c, node, is_sink, SPA_PROP_mute, NULL, 0, is_muted);
}

bool pipewire_set_default(PipeWireConnection *c, const char *node, bool is_sink) {
  pw.pw_thread_loop_lock(c->loop);
  char name[1024], value[1100];
  const int length = spa_json_encode_string(name, (int)sizeof name - 1, node);
  bool can = length < (int)sizeof name && c->default_metadata && pipewire_find_node(c, node, is_sink);
  if (can) {
    name[length] = 0;
    snprintf(value, sizeof value, "{ \"name\": %s }", name);
    pw_metadata_set_property(
      (struct pw_metadata *)c->default_metadata, 0,
      is_sink ? "default.configured.audio.sink" : "default.configured.audio.source",
      "Spa:String:JSON", value);
    can = pipewire_synchronise(c);
  }
  pw.pw_thread_loop_unlock(c->loop);
  return can;
}

bool pipewire_set_rate(PipeWireConnection *c, uint32_t rate) {
  pw.pw_thread_loop_lock(c->loop);
  bool can = c->settings_metadata != NULL;
  if (can) {
    char value[16];
    snprintf(value, sizeof value, "%u", rate);
    pw_metadata_set_property(
      (struct pw_metadata *)c->settings_metadata, 0, "clock.force-rate", "", value);
    can = pipewire_synchronise(c) && pipewire_synchronise(c);
  }
  pw.pw_thread_loop_unlock(c->loop);
  return can;
}

#else
#include "PipeWire.h"

bool pipewire_set_volumes(PipeWireConnection *c, const char *node, bool is_sink, const float *volumes,
                          uint32_t count) {
  return (void)c, (void)node, (void)is_sink, (void)volumes, (void)count, false;
}
bool pipewire_set_mute(PipeWireConnection *c, const char *node, bool is_sink, bool is_muted) {
  return (void)c, (void)node, (void)is_sink, (void)is_muted, false;
}
bool pipewire_set_default(PipeWireConnection *c, const char *node, bool is_sink) {
  return (void)c, (void)node, (void)is_sink, false;
}
bool pipewire_set_rate(PipeWireConnection *c, uint32_t rate) { return (void)c, (void)rate, false; }
#endif
