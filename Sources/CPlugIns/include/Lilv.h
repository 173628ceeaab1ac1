// SPDX-License-Identifier: Apache-2.0
// The functions of lilv that describe and make LV2 plug-ins. The library is opened at run time; its names are
// only declared here. A world and everything from it may be used by one thread at a time.
#pragma once
#include <stdbool.h>
#include <stdint.h>

typedef struct LilvWorldImpl LilvWorld;
typedef struct LilvNodeImpl LilvNode;
typedef struct LilvPluginImpl LilvPlugin;
typedef struct LilvPortImpl LilvPort;
typedef struct LilvScalePointImpl LilvScalePoint;
typedef struct LilvStateImpl LilvState;
// Collections and their positions.
typedef void LilvNodes;
typedef void LilvPlugins;
typedef void LilvScalePoints;
typedef void LilvIter;

/// An instance: what a plug-in has returned, and its functions (`LV2_Descriptor`).
typedef struct LilvInstanceImpl {
  const void *descriptor;
  void *handle;
  void *implementation;
} LilvInstance;

LilvWorld *lilv_world_new(void);
void lilv_world_free(LilvWorld *world);
void lilv_world_load_bundle(LilvWorld *world, const LilvNode *bundle);
int lilv_world_load_resource(LilvWorld *world, const LilvNode *resource);
const LilvPlugins *lilv_world_get_all_plugins(const LilvWorld *world);
LilvNode *lilv_world_get(LilvWorld *world, const LilvNode *subject, const LilvNode *predicate, const LilvNode *object);

void lilv_free(void *memory);
LilvNode *lilv_new_uri(LilvWorld *world, const char *uri);
LilvNode *lilv_new_file_uri(LilvWorld *world, const char *host, const char *path);
void lilv_node_free(LilvNode *node);
const char *lilv_node_as_string(const LilvNode *node);
bool lilv_node_is_uri(const LilvNode *node);
bool lilv_node_is_float(const LilvNode *node);
bool lilv_node_is_int(const LilvNode *node);
bool lilv_node_is_bool(const LilvNode *node);
bool lilv_node_as_bool(const LilvNode *node);
float lilv_node_as_float(const LilvNode *node);
char *lilv_file_uri_parse(const char *uri, char **host);

void lilv_nodes_free(LilvNodes *nodes);
LilvIter *lilv_nodes_begin(const LilvNodes *nodes);
const LilvNode *lilv_nodes_get(const LilvNodes *nodes, LilvIter *position);
LilvIter *lilv_nodes_next(const LilvNodes *nodes, LilvIter *position);
bool lilv_nodes_is_end(const LilvNodes *nodes, LilvIter *position);

LilvIter *lilv_plugins_begin(const LilvPlugins *plugins);
const LilvPlugin *lilv_plugins_get(const LilvPlugins *plugins, LilvIter *position);
LilvIter *lilv_plugins_next(const LilvPlugins *plugins, LilvIter *position);
bool lilv_plugins_is_end(const LilvPlugins *plugins, LilvIter *position);
const LilvPlugin *lilv_plugins_get_by_uri(const LilvPlugins *plugins, const LilvNode *uri);

bool lilv_plugin_verify(const LilvPlugin *plugin);
const LilvNode *lilv_plugin_get_uri(const LilvPlugin *plugin);
const LilvNode *lilv_plugin_get_bundle_uri(const LilvPlugin *plugin);
const LilvNode *lilv_plugin_get_library_uri(const LilvPlugin *plugin);
LilvNode *lilv_plugin_get_name(const LilvPlugin *plugin);
LilvNode *lilv_plugin_get_author_name(const LilvPlugin *plugin);
LilvNodes *lilv_plugin_get_value(const LilvPlugin *plugin, const LilvNode *predicate);
LilvNodes *lilv_plugin_get_required_features(const LilvPlugin *plugin);
LilvNodes *lilv_plugin_get_optional_features(const LilvPlugin *plugin);
LilvNodes *lilv_plugin_get_related(const LilvPlugin *plugin, const LilvNode *type);
uint32_t lilv_plugin_get_num_ports(const LilvPlugin *plugin);
const LilvPort *lilv_plugin_get_port_by_index(const LilvPlugin *plugin, uint32_t index);

bool lilv_port_is_a(const LilvPlugin *plugin, const LilvPort *port, const LilvNode *port_class);
const LilvNode *lilv_port_get_symbol(const LilvPlugin *plugin, const LilvPort *port);
LilvNode *lilv_port_get_name(const LilvPlugin *plugin, const LilvPort *port);
LilvNode *lilv_port_get(const LilvPlugin *plugin, const LilvPort *port, const LilvNode *predicate);
bool lilv_port_has_property(const LilvPlugin *plugin, const LilvPort *port, const LilvNode *property);
bool lilv_port_supports_event(const LilvPlugin *plugin, const LilvPort *port, const LilvNode *event);
void lilv_port_get_range(
    const LilvPlugin *plugin, const LilvPort *port, LilvNode **value, LilvNode **minimum, LilvNode **maximum);
LilvScalePoints *lilv_port_get_scale_points(const LilvPlugin *plugin, const LilvPort *port);
void lilv_scale_points_free(LilvScalePoints *points);
LilvIter *lilv_scale_points_begin(const LilvScalePoints *points);
const LilvScalePoint *lilv_scale_points_get(const LilvScalePoints *points, LilvIter *position);
LilvIter *lilv_scale_points_next(const LilvScalePoints *points, LilvIter *position);
bool lilv_scale_points_is_end(const LilvScalePoints *points, LilvIter *position);
const LilvNode *lilv_scale_point_get_label(const LilvScalePoint *point);
const LilvNode *lilv_scale_point_get_value(const LilvScalePoint *point);

// The last arguments of these are structures of LV2: features, `LV2_URID_Map`, `LV2_URID_Unmap`.
LilvInstance *lilv_plugin_instantiate(const LilvPlugin *plugin, double rate, const void *features);
void lilv_instance_free(LilvInstance *instance);

/// Receives a value of a port that a state contains.
typedef void (*LilvSetPortValue)(const char *symbol, void *context, const void *value, uint32_t size, uint32_t type);
/// Returns the value of a port for a state.
typedef const void *(*LilvGetPortValue)(const char *symbol, void *context, uint32_t *size, uint32_t *type);

LilvState *lilv_state_new_from_world(LilvWorld *world, const void *map, const LilvNode *subject);
LilvState *lilv_state_new_from_string(LilvWorld *world, const void *map, const char *text);
LilvState *lilv_state_new_from_instance(
    const LilvPlugin *plugin, LilvInstance *instance, const void *map, const char *scratch, const char *copies,
    const char *links, const char *save, LilvGetPortValue get, void *context, uint32_t flags, const void *features);
void lilv_state_free(LilvState *state);
unsigned lilv_state_get_num_properties(const LilvState *state);
void lilv_state_emit_port_values(const LilvState *state, LilvSetPortValue set, void *context);
void lilv_state_restore(
    const LilvState *state, LilvInstance *instance, LilvSetPortValue set, void *context, uint32_t flags,
    const void *features);
char *lilv_state_to_string(
    LilvWorld *world, const void *map, const void *unmap, const LilvState *state, const char *uri, const char *base);

#define LILV_FUNCTIONS(F)                                                                                        \
  F(lilv_world_new) F(lilv_world_free) F(lilv_world_load_bundle) F(lilv_world_load_resource)                     \
  F(lilv_world_get_all_plugins) F(lilv_world_get) F(lilv_free) F(lilv_new_uri) F(lilv_new_file_uri)              \
  F(lilv_node_free) F(lilv_node_as_string) F(lilv_node_is_uri) F(lilv_node_is_float) F(lilv_node_is_int)         \
  F(lilv_node_is_bool) F(lilv_node_as_bool) F(lilv_node_as_float) F(lilv_file_uri_parse) F(lilv_nodes_free)      \
  F(lilv_nodes_begin) F(lilv_nodes_get) F(lilv_nodes_next) F(lilv_nodes_is_end) F(lilv_plugins_begin)            \
  F(lilv_plugins_get) F(lilv_plugins_next) F(lilv_plugins_is_end) F(lilv_plugins_get_by_uri)                     \
  F(lilv_plugin_verify) F(lilv_plugin_get_uri) F(lilv_plugin_get_bundle_uri) F(lilv_plugin_get_library_uri)      \
  F(lilv_plugin_get_name) F(lilv_plugin_get_author_name) F(lilv_plugin_get_value)                                \
  F(lilv_plugin_get_required_features) F(lilv_plugin_get_optional_features) F(lilv_plugin_get_related)           \
  F(lilv_plugin_get_num_ports) F(lilv_plugin_get_port_by_index) F(lilv_port_is_a) F(lilv_port_get_symbol)        \
  F(lilv_port_get_name) F(lilv_port_get) F(lilv_port_has_property) F(lilv_port_supports_event)                   \
  F(lilv_port_get_range) F(lilv_port_get_scale_points) F(lilv_scale_points_free) F(lilv_scale_points_begin)      \
  F(lilv_scale_points_get) F(lilv_scale_points_next) F(lilv_scale_points_is_end) F(lilv_scale_point_get_label)   \
  F(lilv_scale_point_get_value) F(lilv_plugin_instantiate) F(lilv_instance_free) F(lilv_state_new_from_world)    \
  F(lilv_state_new_from_string) F(lilv_state_new_from_instance) F(lilv_state_free)                               \
  F(lilv_state_get_num_properties) F(lilv_state_emit_port_values) F(lilv_state_restore) F(lilv_state_to_string)

/// The functions by their names.
typedef struct LilvTable {
#define LILV_MEMBER(function) __typeof__(function) *function;
  LILV_FUNCTIONS(LILV_MEMBER)
#undef LILV_MEMBER
} LilvTable;

/// Opens the library once. Null: it is not there; `lilv_reason` says why. [control thread]
const LilvTable *lilv_open(void);

/// Why the library could not be opened. [control thread]
const char *lilv_reason(void);
