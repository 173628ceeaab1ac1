// SPDX-License-Identifier: Apache-2.0

// Compares our headers of CLAP with those in Debian's package dpf-source. When it runs, it compares the
// identifiers, which a compiler cannot.

#include <clap/entry.h>
#include <clap/ext/audio-ports.h>
#include <clap/ext/latency.h>
#include <clap/ext/note-ports.h>
#include <clap/ext/params.h>
#include <clap/ext/state.h>
#include <clap/ext/thread-check.h>
#include <clap/plugin-factory.h>
#include <clap/stream.h>
#include <string.h>

// The names of these are the same; theirs are constants.
static const char *const mono = CLAP_PORT_MONO, *const stereo = CLAP_PORT_STEREO;
enum { name_size = CLAP_NAME_SIZE, path_size = CLAP_PATH_SIZE };

#include "CLAPExtensions.h"
#include "check.h"

#define SAME(ours, theirs) CHECK(sizeof(ours) == sizeof(theirs))
#define MEMBER(ours, our_member, theirs, their_member)              \
  CHECK(offsetof(ours, our_member) == offsetof(theirs, their_member)); \
  CHECK(sizeof(((ours *)0)->our_member) == sizeof(((theirs *)0)->their_member))

SAME(CLAPVersion, clap_version_t);
MEMBER(CLAPVersion, major, clap_version_t, major);
MEMBER(CLAPVersion, minor, clap_version_t, minor);
MEMBER(CLAPVersion, revision, clap_version_t, revision);

SAME(CLAPEntry, clap_plugin_entry_t);
MEMBER(CLAPEntry, version, clap_plugin_entry_t, clap_version);
MEMBER(CLAPEntry, init, clap_plugin_entry_t, init);
MEMBER(CLAPEntry, deinit, clap_plugin_entry_t, deinit);
MEMBER(CLAPEntry, get_factory, clap_plugin_entry_t, get_factory);

SAME(CLAPDescriptor, clap_plugin_descriptor_t);
MEMBER(CLAPDescriptor, id, clap_plugin_descriptor_t, id);
MEMBER(CLAPDescriptor, name, clap_plugin_descriptor_t, name);
MEMBER(CLAPDescriptor, vendor, clap_plugin_descriptor_t, vendor);
MEMBER(CLAPDescriptor, url, clap_plugin_descriptor_t, url);
MEMBER(CLAPDescriptor, manual_url, clap_plugin_descriptor_t, manual_url);
MEMBER(CLAPDescriptor, support_url, clap_plugin_descriptor_t, support_url);
MEMBER(CLAPDescriptor, plug_in_version, clap_plugin_descriptor_t, version);
MEMBER(CLAPDescriptor, description, clap_plugin_descriptor_t, description);
MEMBER(CLAPDescriptor, features, clap_plugin_descriptor_t, features);

SAME(CLAPFactory, clap_plugin_factory_t);
MEMBER(CLAPFactory, count, clap_plugin_factory_t, get_plugin_count);
MEMBER(CLAPFactory, get_descriptor, clap_plugin_factory_t, get_plugin_descriptor);
MEMBER(CLAPFactory, create, clap_plugin_factory_t, create_plugin);

SAME(CLAPHost, clap_host_t);
MEMBER(CLAPHost, host_data, clap_host_t, host_data);
MEMBER(CLAPHost, name, clap_host_t, name);
MEMBER(CLAPHost, vendor, clap_host_t, vendor);
MEMBER(CLAPHost, url, clap_host_t, url);
MEMBER(CLAPHost, host_version, clap_host_t, version);
MEMBER(CLAPHost, get_extension, clap_host_t, get_extension);
MEMBER(CLAPHost, request_restart, clap_host_t, request_restart);
MEMBER(CLAPHost, request_process, clap_host_t, request_process);
MEMBER(CLAPHost, request_callback, clap_host_t, request_callback);

SAME(CLAPPlugIn, clap_plugin_t);
MEMBER(CLAPPlugIn, descriptor, clap_plugin_t, desc);
MEMBER(CLAPPlugIn, plug_in_data, clap_plugin_t, plugin_data);
MEMBER(CLAPPlugIn, init, clap_plugin_t, init);
MEMBER(CLAPPlugIn, destroy, clap_plugin_t, destroy);
MEMBER(CLAPPlugIn, activate, clap_plugin_t, activate);
MEMBER(CLAPPlugIn, deactivate, clap_plugin_t, deactivate);
MEMBER(CLAPPlugIn, start_processing, clap_plugin_t, start_processing);
MEMBER(CLAPPlugIn, stop_processing, clap_plugin_t, stop_processing);
MEMBER(CLAPPlugIn, reset, clap_plugin_t, reset);
MEMBER(CLAPPlugIn, process, clap_plugin_t, process);
MEMBER(CLAPPlugIn, get_extension, clap_plugin_t, get_extension);
MEMBER(CLAPPlugIn, on_main_thread, clap_plugin_t, on_main_thread);

SAME(CLAPAudioBuffer, clap_audio_buffer_t);
MEMBER(CLAPAudioBuffer, data32, clap_audio_buffer_t, data32);
MEMBER(CLAPAudioBuffer, data64, clap_audio_buffer_t, data64);
MEMBER(CLAPAudioBuffer, channel_count, clap_audio_buffer_t, channel_count);
MEMBER(CLAPAudioBuffer, latency, clap_audio_buffer_t, latency);
MEMBER(CLAPAudioBuffer, constant_mask, clap_audio_buffer_t, constant_mask);

SAME(CLAPProcess, clap_process_t);
MEMBER(CLAPProcess, steady_time, clap_process_t, steady_time);
MEMBER(CLAPProcess, frame_count, clap_process_t, frames_count);
MEMBER(CLAPProcess, transport, clap_process_t, transport);
MEMBER(CLAPProcess, inputs, clap_process_t, audio_inputs);
MEMBER(CLAPProcess, outputs, clap_process_t, audio_outputs);
MEMBER(CLAPProcess, input_count, clap_process_t, audio_inputs_count);
MEMBER(CLAPProcess, output_count, clap_process_t, audio_outputs_count);
MEMBER(CLAPProcess, in_events, clap_process_t, in_events);
MEMBER(CLAPProcess, out_events, clap_process_t, out_events);

SAME(CLAPEventHeader, clap_event_header_t);
MEMBER(CLAPEventHeader, size, clap_event_header_t, size);
MEMBER(CLAPEventHeader, time, clap_event_header_t, time);
MEMBER(CLAPEventHeader, space, clap_event_header_t, space_id);
MEMBER(CLAPEventHeader, type, clap_event_header_t, type);
MEMBER(CLAPEventHeader, flags, clap_event_header_t, flags);

SAME(CLAPNoteEvent, clap_event_note_t);
MEMBER(CLAPNoteEvent, note_id, clap_event_note_t, note_id);
MEMBER(CLAPNoteEvent, port, clap_event_note_t, port_index);
MEMBER(CLAPNoteEvent, channel, clap_event_note_t, channel);
MEMBER(CLAPNoteEvent, key, clap_event_note_t, key);
MEMBER(CLAPNoteEvent, velocity, clap_event_note_t, velocity);

SAME(CLAPExpressionEvent, clap_event_note_expression_t);
MEMBER(CLAPExpressionEvent, expression, clap_event_note_expression_t, expression_id);
MEMBER(CLAPExpressionEvent, note_id, clap_event_note_expression_t, note_id);
MEMBER(CLAPExpressionEvent, port, clap_event_note_expression_t, port_index);
MEMBER(CLAPExpressionEvent, channel, clap_event_note_expression_t, channel);
MEMBER(CLAPExpressionEvent, key, clap_event_note_expression_t, key);
MEMBER(CLAPExpressionEvent, value, clap_event_note_expression_t, value);

SAME(CLAPParamEvent, clap_event_param_value_t);
MEMBER(CLAPParamEvent, param_id, clap_event_param_value_t, param_id);
MEMBER(CLAPParamEvent, cookie, clap_event_param_value_t, cookie);
MEMBER(CLAPParamEvent, note_id, clap_event_param_value_t, note_id);
MEMBER(CLAPParamEvent, port, clap_event_param_value_t, port_index);
MEMBER(CLAPParamEvent, channel, clap_event_param_value_t, channel);
MEMBER(CLAPParamEvent, key, clap_event_param_value_t, key);
MEMBER(CLAPParamEvent, value, clap_event_param_value_t, value);

SAME(CLAPParamEvent, clap_event_param_mod_t);
MEMBER(CLAPParamEvent, param_id, clap_event_param_mod_t, param_id);
MEMBER(CLAPParamEvent, cookie, clap_event_param_mod_t, cookie);
MEMBER(CLAPParamEvent, value, clap_event_param_mod_t, amount);

SAME(CLAPGestureEvent, clap_event_param_gesture_t);
MEMBER(CLAPGestureEvent, param_id, clap_event_param_gesture_t, param_id);

SAME(CLAPTransportEvent, clap_event_transport_t);
MEMBER(CLAPTransportEvent, flags, clap_event_transport_t, flags);
MEMBER(CLAPTransportEvent, position_beats, clap_event_transport_t, song_pos_beats);
MEMBER(CLAPTransportEvent, position_seconds, clap_event_transport_t, song_pos_seconds);
MEMBER(CLAPTransportEvent, tempo, clap_event_transport_t, tempo);
MEMBER(CLAPTransportEvent, tempo_increment, clap_event_transport_t, tempo_inc);
MEMBER(CLAPTransportEvent, loop_start_beats, clap_event_transport_t, loop_start_beats);
MEMBER(CLAPTransportEvent, loop_end_beats, clap_event_transport_t, loop_end_beats);
MEMBER(CLAPTransportEvent, loop_start_seconds, clap_event_transport_t, loop_start_seconds);
MEMBER(CLAPTransportEvent, loop_end_seconds, clap_event_transport_t, loop_end_seconds);
MEMBER(CLAPTransportEvent, bar_start, clap_event_transport_t, bar_start);
MEMBER(CLAPTransportEvent, bar_number, clap_event_transport_t, bar_number);
MEMBER(CLAPTransportEvent, signature_numerator, clap_event_transport_t, tsig_num);
MEMBER(CLAPTransportEvent, signature_denominator, clap_event_transport_t, tsig_denom);

SAME(CLAPMIDIEvent, clap_event_midi_t);
MEMBER(CLAPMIDIEvent, port, clap_event_midi_t, port_index);
MEMBER(CLAPMIDIEvent, data, clap_event_midi_t, data);

SAME(CLAPSysExEvent, clap_event_midi_sysex_t);
MEMBER(CLAPSysExEvent, port, clap_event_midi_sysex_t, port_index);
MEMBER(CLAPSysExEvent, bytes, clap_event_midi_sysex_t, buffer);
MEMBER(CLAPSysExEvent, count, clap_event_midi_sysex_t, size);

SAME(CLAPMIDI2Event, clap_event_midi2_t);
MEMBER(CLAPMIDI2Event, port, clap_event_midi2_t, port_index);
MEMBER(CLAPMIDI2Event, words, clap_event_midi2_t, data);

SAME(CLAPInputEvents, clap_input_events_t);
MEMBER(CLAPInputEvents, context, clap_input_events_t, ctx);
MEMBER(CLAPInputEvents, size, clap_input_events_t, size);
MEMBER(CLAPInputEvents, get, clap_input_events_t, get);

SAME(CLAPOutputEvents, clap_output_events_t);
MEMBER(CLAPOutputEvents, context, clap_output_events_t, ctx);
MEMBER(CLAPOutputEvents, try_push, clap_output_events_t, try_push);

SAME(CLAPParamInfo, clap_param_info_t);
MEMBER(CLAPParamInfo, id, clap_param_info_t, id);
MEMBER(CLAPParamInfo, flags, clap_param_info_t, flags);
MEMBER(CLAPParamInfo, cookie, clap_param_info_t, cookie);
MEMBER(CLAPParamInfo, name, clap_param_info_t, name);
MEMBER(CLAPParamInfo, module, clap_param_info_t, module);
MEMBER(CLAPParamInfo, min_value, clap_param_info_t, min_value);
MEMBER(CLAPParamInfo, max_value, clap_param_info_t, max_value);
MEMBER(CLAPParamInfo, default_value, clap_param_info_t, default_value);

SAME(CLAPParams, clap_plugin_params_t);
MEMBER(CLAPParams, count, clap_plugin_params_t, count);
MEMBER(CLAPParams, get_info, clap_plugin_params_t, get_info);
MEMBER(CLAPParams, get_value, clap_plugin_params_t, get_value);
MEMBER(CLAPParams, value_to_text, clap_plugin_params_t, value_to_text);
MEMBER(CLAPParams, text_to_value, clap_plugin_params_t, text_to_value);
MEMBER(CLAPParams, flush, clap_plugin_params_t, flush);

SAME(CLAPHostParams, clap_host_params_t);
MEMBER(CLAPHostParams, rescan, clap_host_params_t, rescan);
MEMBER(CLAPHostParams, clear, clap_host_params_t, clear);
MEMBER(CLAPHostParams, request_flush, clap_host_params_t, request_flush);

SAME(CLAPInputStream, clap_istream_t);
MEMBER(CLAPInputStream, context, clap_istream_t, ctx);
MEMBER(CLAPInputStream, read, clap_istream_t, read);

SAME(CLAPOutputStream, clap_ostream_t);
MEMBER(CLAPOutputStream, context, clap_ostream_t, ctx);
MEMBER(CLAPOutputStream, write, clap_ostream_t, write);

SAME(CLAPState, clap_plugin_state_t);
MEMBER(CLAPState, save, clap_plugin_state_t, save);
MEMBER(CLAPState, load, clap_plugin_state_t, load);

SAME(CLAPHostState, clap_host_state_t);
MEMBER(CLAPHostState, mark_dirty, clap_host_state_t, mark_dirty);

SAME(CLAPLatency, clap_plugin_latency_t);
MEMBER(CLAPLatency, get, clap_plugin_latency_t, get);

SAME(CLAPHostLatency, clap_host_latency_t);
MEMBER(CLAPHostLatency, changed, clap_host_latency_t, changed);

SAME(CLAPAudioPortInfo, clap_audio_port_info_t);
MEMBER(CLAPAudioPortInfo, id, clap_audio_port_info_t, id);
MEMBER(CLAPAudioPortInfo, name, clap_audio_port_info_t, name);
MEMBER(CLAPAudioPortInfo, flags, clap_audio_port_info_t, flags);
MEMBER(CLAPAudioPortInfo, channel_count, clap_audio_port_info_t, channel_count);
MEMBER(CLAPAudioPortInfo, port_type, clap_audio_port_info_t, port_type);
MEMBER(CLAPAudioPortInfo, in_place_pair, clap_audio_port_info_t, in_place_pair);

SAME(CLAPAudioPorts, clap_plugin_audio_ports_t);
MEMBER(CLAPAudioPorts, count, clap_plugin_audio_ports_t, count);
MEMBER(CLAPAudioPorts, get, clap_plugin_audio_ports_t, get);

SAME(CLAPHostAudioPorts, clap_host_audio_ports_t);
MEMBER(CLAPHostAudioPorts, is_rescan_flag_supported, clap_host_audio_ports_t, is_rescan_flag_supported);
MEMBER(CLAPHostAudioPorts, rescan, clap_host_audio_ports_t, rescan);

SAME(CLAPNotePortInfo, clap_note_port_info_t);
MEMBER(CLAPNotePortInfo, id, clap_note_port_info_t, id);
MEMBER(CLAPNotePortInfo, supported_dialects, clap_note_port_info_t, supported_dialects);
MEMBER(CLAPNotePortInfo, preferred_dialect, clap_note_port_info_t, preferred_dialect);
MEMBER(CLAPNotePortInfo, name, clap_note_port_info_t, name);

SAME(CLAPNotePorts, clap_plugin_note_ports_t);
MEMBER(CLAPNotePorts, count, clap_plugin_note_ports_t, count);
MEMBER(CLAPNotePorts, get, clap_plugin_note_ports_t, get);

SAME(CLAPHostNotePorts, clap_host_note_ports_t);
MEMBER(CLAPHostNotePorts, supported_dialects, clap_host_note_ports_t, supported_dialects);
MEMBER(CLAPHostNotePorts, rescan, clap_host_note_ports_t, rescan);

SAME(CLAPHostThreadCheck, clap_host_thread_check_t);
MEMBER(CLAPHostThreadCheck, is_main_thread, clap_host_thread_check_t, is_main_thread);
MEMBER(CLAPHostThreadCheck, is_audio_thread, clap_host_thread_check_t, is_audio_thread);

CHECK_VALUE(CLAP_NAME_SIZE, name_size);
CHECK_VALUE(CLAP_PATH_SIZE, path_size);
CHECK_VALUE(CLAPEventNoteOn, CLAP_EVENT_NOTE_ON);
CHECK_VALUE(CLAPEventNoteOff, CLAP_EVENT_NOTE_OFF);
CHECK_VALUE(CLAPEventNoteChoke, CLAP_EVENT_NOTE_CHOKE);
CHECK_VALUE(CLAPEventNoteEnd, CLAP_EVENT_NOTE_END);
CHECK_VALUE(CLAPEventNoteExpression, CLAP_EVENT_NOTE_EXPRESSION);
CHECK_VALUE(CLAPEventParamValue, CLAP_EVENT_PARAM_VALUE);
CHECK_VALUE(CLAPEventParamModulation, CLAP_EVENT_PARAM_MOD);
CHECK_VALUE(CLAPEventGestureBegin, CLAP_EVENT_PARAM_GESTURE_BEGIN);
CHECK_VALUE(CLAPEventGestureEnd, CLAP_EVENT_PARAM_GESTURE_END);
CHECK_VALUE(CLAPEventTransport, CLAP_EVENT_TRANSPORT);
CHECK_VALUE(CLAPEventMIDI, CLAP_EVENT_MIDI);
CHECK_VALUE(CLAPEventSysEx, CLAP_EVENT_MIDI_SYSEX);
CHECK_VALUE(CLAPEventMIDI2, CLAP_EVENT_MIDI2);
CHECK_VALUE(CLAPEventIsLive, CLAP_EVENT_IS_LIVE);
CHECK_VALUE(CLAPEventDoNotRecord, CLAP_EVENT_DONT_RECORD);
CHECK_VALUE(CLAPExpressionPressure, CLAP_NOTE_EXPRESSION_PRESSURE);
CHECK_VALUE(CLAPTransportHasTempo, CLAP_TRANSPORT_HAS_TEMPO);
CHECK_VALUE(CLAPTransportIsPlaying, CLAP_TRANSPORT_IS_PLAYING);
CHECK_VALUE(CLAPTransportIsInPreRoll, CLAP_TRANSPORT_IS_WITHIN_PRE_ROLL);
CHECK_VALUE(CLAPStatusError, CLAP_PROCESS_ERROR);
CHECK_VALUE(CLAPStatusSleep, CLAP_PROCESS_SLEEP);
CHECK_VALUE(CLAPParamIsStepped, CLAP_PARAM_IS_STEPPED);
CHECK_VALUE(CLAPParamIsHidden, CLAP_PARAM_IS_HIDDEN);
CHECK_VALUE(CLAPParamIsReadOnly, CLAP_PARAM_IS_READONLY);
CHECK_VALUE(CLAPParamIsBypass, CLAP_PARAM_IS_BYPASS);
CHECK_VALUE(CLAPParamIsAutomatable, CLAP_PARAM_IS_AUTOMATABLE);
CHECK_VALUE(CLAPParamIsModulatable, CLAP_PARAM_IS_MODULATABLE);
CHECK_VALUE(CLAPParamRequiresProcess, CLAP_PARAM_REQUIRES_PROCESS);
CHECK_VALUE(CLAPParamRescanValues, CLAP_PARAM_RESCAN_VALUES);
CHECK_VALUE(CLAPParamRescanAll, CLAP_PARAM_RESCAN_ALL);
CHECK_VALUE(CLAPAudioPortIsMain, CLAP_AUDIO_PORT_IS_MAIN);
CHECK_VALUE(CLAPAudioPortRequiresCommonSampleSize, CLAP_AUDIO_PORT_REQUIRES_COMMON_SAMPLE_SIZE);
CHECK_VALUE(CLAPNoteDialectMPE, CLAP_NOTE_DIALECT_MIDI_MPE);
CHECK_VALUE(CLAPNoteDialectMIDI2, CLAP_NOTE_DIALECT_MIDI2);

int main(void) {
  return strcmp(CLAP_PORT_MONO, mono) || strcmp(CLAP_PORT_STEREO, stereo)
      || strcmp(CLAP_FACTORY_ID, CLAP_PLUGIN_FACTORY_ID)
      || strcmp(CLAP_PARAMS, CLAP_EXT_PARAMS)
      || strcmp(CLAP_STATE, CLAP_EXT_STATE)
      || strcmp(CLAP_LATENCY, CLAP_EXT_LATENCY)
      || strcmp(CLAP_AUDIO_PORTS, CLAP_EXT_AUDIO_PORTS)
      || strcmp(CLAP_NOTE_PORTS, CLAP_EXT_NOTE_PORTS)
      || strcmp(CLAP_THREAD_CHECK, CLAP_EXT_THREAD_CHECK)
      || CLAP_TIME_UNIT != CLAP_BEATTIME_FACTOR;
}
