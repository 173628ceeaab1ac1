// SPDX-License-Identifier: Apache-2.0

// Sizes and offsets of the structures of CLAP and LV2 on 64-bit machines: a change of a header that breaks the binary
// interface does not compile.

#include <stddef.h>

#include "CLAPExtensions.h"
#include "CLAPPresets.h"
#include "LV2.h"

#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type)
#define AT(type, field, bytes) _Static_assert(offsetof(type, field) == (bytes), #type "." #field)

SIZE(CLAPVersion, 12);
SIZE(CLAPEntry, 40);
AT(CLAPEntry, init, 16);
AT(CLAPEntry, get_factory, 32);
SIZE(CLAPFactory, 24);
SIZE(CLAPDescriptor, 88);
AT(CLAPDescriptor, id, 16);
AT(CLAPDescriptor, features, 80);
SIZE(CLAPHost, 88);
AT(CLAPHost, host_data, 16);
AT(CLAPHost, get_extension, 56);
AT(CLAPHost, request_callback, 80);
SIZE(CLAPPlugIn, 96);
AT(CLAPPlugIn, init, 16);
AT(CLAPPlugIn, process, 72);
AT(CLAPPlugIn, on_main_thread, 88);
SIZE(CLAPAudioBuffer, 32);
AT(CLAPAudioBuffer, constant_mask, 24);
SIZE(CLAPProcess, 64);
AT(CLAPProcess, transport, 16);
AT(CLAPProcess, input_count, 40);
AT(CLAPProcess, in_events, 48);

SIZE(CLAPEventHeader, 16);
SIZE(CLAPNoteEvent, 40);
AT(CLAPNoteEvent, velocity, 32);
SIZE(CLAPExpressionEvent, 40);
SIZE(CLAPParamEvent, 56);
AT(CLAPParamEvent, cookie, 24);
AT(CLAPParamEvent, value, 48);
SIZE(CLAPGestureEvent, 20);
SIZE(CLAPTransportEvent, 104);
AT(CLAPTransportEvent, flags, 16);
AT(CLAPTransportEvent, tempo, 40);
AT(CLAPTransportEvent, bar_number, 96);
SIZE(CLAPMIDIEvent, 24);
SIZE(CLAPSysExEvent, 40);
SIZE(CLAPMIDI2Event, 36);
SIZE(CLAPInputEvents, 24);
SIZE(CLAPOutputEvents, 16);

SIZE(CLAPParamInfo, 1320);
AT(CLAPParamInfo, cookie, 8);
AT(CLAPParamInfo, name, 16);
AT(CLAPParamInfo, module, 272);
AT(CLAPParamInfo, min_value, 1296);
SIZE(CLAPParams, 48);
SIZE(CLAPHostParams, 24);
SIZE(CLAPInputStream, 16);
SIZE(CLAPOutputStream, 16);
SIZE(CLAPState, 16);
SIZE(CLAPHostState, 8);
SIZE(CLAPPresetLoad, 8);
SIZE(CLAPHostPresetLoad, 16);
SIZE(CLAPLatency, 8);
SIZE(CLAPHostLatency, 8);
SIZE(CLAPTail, 8);
SIZE(CLAPHostTail, 8);
SIZE(CLAPRender, 16);
SIZE(CLAPAudioPortInfo, 288);
AT(CLAPAudioPortInfo, channel_count, 264);
AT(CLAPAudioPortInfo, port_type, 272);
AT(CLAPAudioPortInfo, in_place_pair, 280);
SIZE(CLAPAudioPorts, 16);
SIZE(CLAPHostAudioPorts, 16);
SIZE(CLAPAudioPortsConfig, 304);
AT(CLAPAudioPortsConfig, has_main_input, 268);
AT(CLAPAudioPortsConfig, main_input_port_type, 280);
AT(CLAPAudioPortsConfig, main_output_port_type, 296);
SIZE(CLAPAudioPortsConfigs, 24);
SIZE(CLAPAudioPortRequest, 32);
SIZE(CLAPConfigurableAudioPorts, 16);
SIZE(CLAPNotePortInfo, 268);
SIZE(CLAPNotePorts, 16);
SIZE(CLAPHostNotePorts, 16);
SIZE(CLAPVoiceInfo, 16);
SIZE(CLAPHostThreadCheck, 16);
SIZE(CLAPThreadPool, 8);
SIZE(CLAPHostThreadPool, 8);
SIZE(CLAPHostLog, 8);
SIZE(CLAPTimers, 8);
SIZE(CLAPHostTimers, 16);
SIZE(CLAPPresetProviderDescriptor, 40);
SIZE(CLAPPresetReceiver, 88);
SIZE(CLAPPresetProvider, 48);
SIZE(CLAPPresetFileType, 24);
SIZE(CLAPPresetPlace, 32);
SIZE(CLAPPresetIndexer, 88);
SIZE(CLAPPresetFactory, 24);
SIZE(CLAPAudioUnitCodes, 10);
SIZE(CLAPAudioUnitInfo, 24);

SIZE(LV2Feature, 16);
SIZE(LV2Descriptor, 64);
AT(LV2Descriptor, run, 32);
AT(LV2Descriptor, extension_data, 56);
SIZE(LV2Map, 16);
SIZE(LV2Option, 32);
AT(LV2Option, value, 24);
SIZE(LV2Atom, 8);
SIZE(LV2Event, 16);
SIZE(LV2Sequence, 16);
SIZE(LV2StateInterface, 16);
