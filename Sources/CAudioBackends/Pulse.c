// SPDX-License-Identifier: Apache-2.0
#include "Pulse.h"

#include "Loader.h"

#if __has_include(<pulse/pulseaudio.h>)
#include <pulse/pulseaudio.h>
#define SAME_SIZE(ours, theirs) _Static_assert(sizeof(ours) == sizeof(theirs), #theirs)
#define SAME_PLACE(ours, theirs, field) \
  _Static_assert(offsetof(ours, field) == offsetof(theirs, field), #theirs "." #field)
SAME_SIZE(PulseSampleSpec, pa_sample_spec);
SAME_PLACE(PulseSampleSpec, pa_sample_spec, rate);
SAME_PLACE(PulseSampleSpec, pa_sample_spec, channels);
SAME_SIZE(PulseChannelMap, pa_channel_map);
SAME_PLACE(PulseChannelMap, pa_channel_map, map);
SAME_SIZE(PulseBufferAttributes, pa_buffer_attr);
SAME_PLACE(PulseBufferAttributes, pa_buffer_attr, tlength);
SAME_PLACE(PulseBufferAttributes, pa_buffer_attr, prebuf);
SAME_PLACE(PulseBufferAttributes, pa_buffer_attr, minreq);
SAME_PLACE(PulseBufferAttributes, pa_buffer_attr, fragsize);
SAME_PLACE(PulseServerInfo, pa_server_info, sample_spec);
SAME_PLACE(PulseServerInfo, pa_server_info, default_sink_name);
SAME_PLACE(PulseServerInfo, pa_server_info, default_source_name);
#define SAME_DEVICE(theirs) \
  SAME_PLACE(PulseDeviceInfo, theirs, name); \
  SAME_PLACE(PulseDeviceInfo, theirs, index); \
  SAME_PLACE(PulseDeviceInfo, theirs, description); \
  SAME_PLACE(PulseDeviceInfo, theirs, sample_spec); \
  SAME_PLACE(PulseDeviceInfo, theirs, channel_map); \
  SAME_PLACE(PulseDeviceInfo, theirs, volume); \
  SAME_PLACE(PulseDeviceInfo, theirs, mute); \
  SAME_PLACE(PulseDeviceInfo, theirs, latency); \
  SAME_PLACE(PulseDeviceInfo, theirs, proplist); \
  SAME_PLACE(PulseDeviceInfo, theirs, state); \
  SAME_PLACE(PulseDeviceInfo, theirs, card); \
  SAME_PLACE(PulseDeviceInfo, theirs, ports); \
  SAME_PLACE(PulseDeviceInfo, theirs, active_port)
SAME_SIZE(PulseVolumes, pa_cvolume);
SAME_PLACE(PulseVolumes, pa_cvolume, values);
SAME_PLACE(PulsePort, pa_sink_port_info, available);
SAME_PLACE(PulsePort, pa_source_port_info, available);
SAME_DEVICE(pa_sink_info);
SAME_DEVICE(pa_source_info);
_Static_assert(offsetof(PulseDeviceInfo, monitor) == offsetof(pa_source_info, monitor_of_sink), "monitor");
SAME_PLACE(PulsePlayerInfo, pa_sink_input_info, client);
SAME_PLACE(PulsePlayerInfo, pa_sink_input_info, sink);
SAME_PLACE(PulsePlayerInfo, pa_sink_input_info, proplist);
SAME_PLACE(PulsePlayerInfo, pa_sink_input_info, corked);
#define SAME_VALUE(ours, theirs) _Static_assert((int)ours == (int)theirs, #theirs)
SAME_VALUE(PulseMaximumChannels, PA_CHANNELS_MAX);
SAME_VALUE(PulseVolumeNormal, PA_VOLUME_NORM);
SAME_VALUE(PulsePortUnplugged, PA_PORT_AVAILABLE_NO);
SAME_VALUE(PulsePortPlugged, PA_PORT_AVAILABLE_YES);
SAME_VALUE(PulseDeviceRunning, PA_SINK_RUNNING);
SAME_VALUE(PulseDeviceRunning, PA_SOURCE_RUNNING);
SAME_VALUE(PulseFloat32, PA_SAMPLE_FLOAT32LE);
SAME_VALUE(PulseFloat32Swapped, PA_SAMPLE_FLOAT32BE);
SAME_VALUE(PulseContextReady, PA_CONTEXT_READY);
SAME_VALUE(PulseContextFailed, PA_CONTEXT_FAILED);
SAME_VALUE(PulseContextTerminated, PA_CONTEXT_TERMINATED);
SAME_VALUE(PulseStreamReady, PA_STREAM_READY);
SAME_VALUE(PulseStreamFailed, PA_STREAM_FAILED);
SAME_VALUE(PulseStreamTerminated, PA_STREAM_TERMINATED);
SAME_VALUE(PulseContextNoAutospawn, PA_CONTEXT_NOAUTOSPAWN);
SAME_VALUE(PulseInterpolateTiming, PA_STREAM_INTERPOLATE_TIMING);
SAME_VALUE(PulseAutoTimingUpdate, PA_STREAM_AUTO_TIMING_UPDATE);
SAME_VALUE(PulseDontMove, PA_STREAM_DONT_MOVE);
SAME_VALUE(PulseAdjustLatency, PA_STREAM_ADJUST_LATENCY);
SAME_VALUE(PulseSinks, PA_SUBSCRIPTION_MASK_SINK);
SAME_VALUE(PulseSources, PA_SUBSCRIPTION_MASK_SOURCE);
SAME_VALUE(PulsePlayers, PA_SUBSCRIPTION_MASK_SINK_INPUT);
SAME_VALUE(PulseServer, PA_SUBSCRIPTION_MASK_SERVER);
// Compares the types of functions that use none of the library's structures and enumerations.
#define SAME(f) \
  _Static_assert( \
      __builtin_types_compatible_p(__typeof__(f) *, __typeof__(((PulseFunctions *)0)->f)), #f)
SAME(pa_threaded_mainloop_new);
SAME(pa_threaded_mainloop_start);
SAME(pa_threaded_mainloop_in_thread);
SAME(pa_threaded_mainloop_set_name);
SAME(pa_threaded_mainloop_get_api);
SAME(pa_mainloop_api_once);
SAME(pa_context_new);
SAME(pa_context_errno);
SAME(pa_context_set_state_callback);
SAME(pa_strerror);
SAME(pa_context_set_sink_mute_by_name);
SAME(pa_context_set_source_mute_by_name);
SAME(pa_context_set_sink_port_by_name);
SAME(pa_context_set_source_port_by_name);
SAME(pa_context_set_default_sink);
SAME(pa_context_set_default_source);
SAME(pa_proplist_gets);
SAME(pa_stream_disconnect);
SAME(pa_stream_set_write_callback);
SAME(pa_stream_set_read_callback);
SAME(pa_stream_set_underflow_callback);
SAME(pa_stream_set_moved_callback);
SAME(pa_stream_get_device_name);
SAME(pa_stream_get_latency);
SAME(pa_stream_writable_size);
SAME(pa_stream_begin_write);
SAME(pa_stream_peek);
SAME(pa_stream_drop);
#endif

static PulseFunctions pulse;

#define PULSE_SYMBOL(type, name, parameters) {#name},
static const LibrarySymbol symbols[] = {PULSE_FUNCTIONS(PULSE_SYMBOL)};
static Library library = {.files = {"libpulse.so.0"}, .package = "libpulse0",
                          .symbols = symbols, .count = LIBRARY_COUNT(symbols), .table = &pulse};

const PulseFunctions *pulse_functions(const char **reason) {
  if (library_load(&library)) return &pulse;
  *reason = library.reason;
  return NULL;
}
