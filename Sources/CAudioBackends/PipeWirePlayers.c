// SPDX-License-Identifier: Apache-2.0
// Which sinks other processes play to: the links to a sink, the nodes at their other ends, and the
// clients that these belong to.
#include "PipeWireLibrary.h"

#ifdef HAS_PIPEWIRE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const Global *find(const PipeWireConnection *c, int kind, uint32_t id) {
  for (const Global *g = c->globals; g; g = g->next) {
    if (g->kind == kind && g->id == id) return g;
  }
  return NULL;
}

static bool is_text(const struct spa_dict *props, const char *key, const char *text) {
  const char *value = props ? spa_dict_lookup(props, key) : NULL;
  return value && !strcmp(value, text);
}

static void player_info(void *data, const struct pw_node_info *info) {
  Global *g = data;
  bool was_playing = g->is_playing;
  g->is_playing = info->state == PW_NODE_STATE_RUNNING;
  // The client of such a stream is the server's own; the process is in the properties.
  if (info->props && is_text(info->props, PW_KEY_CLIENT_API, "pipewire-pulse")) {
    const char *process = spa_dict_lookup(info->props, PW_KEY_APP_PROCESS_ID);
    g->process = process ? strtol(process, NULL, 10) : 0;
  }
  PipeWireConnection *c = g->connection;
  if (was_playing != g->is_playing && c->observer.changed) c->observer.changed(c->observer.context);
}

static const struct pw_node_events player_events = {
  PW_VERSION_NODE_EVENTS, .info = player_info};

void pipewire_watch_player(Global *g) {
  g->proxy = pw_registry_bind(g->connection->registry, g->id, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, 0);
  if (g->proxy) pw_node_add_listener((struct pw_node *)g->proxy, &g->listener, &player_events, g);
}

/// Whether a node belongs to this process, through whichever library.
static bool is_own(PipeWireConnection *c, const Global *node) {
  if (node->process) return node->process == getpid();
  const Global *client = find(c, GlobalClient, node->client);
  if (!client) return false;
  // The number of this process as the server sees it, which differs in a container.
  const struct pw_proxy *core = (struct pw_proxy *)pw.pw_core_get_client(c->core);
  const Global *me = find(c, GlobalClient, pw.pw_proxy_get_bound_id((struct pw_proxy *)core));
  return client->process == (me && me->process ? me->process : getpid());
}

bool pipewire_others_play(PipeWireConnection *c, uint32_t sink) {
  for (const Global *link = c->globals; link; link = link->next) {
    if (link->kind != GlobalLink || link->node != sink) continue;
    const Global *player = find(c, GlobalNode, link->player);
    if (player && player->is_playing && !is_own(c, player)) return true;
  }
  return false;
}
#endif
