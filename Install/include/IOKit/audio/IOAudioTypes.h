// SPDX-License-Identifier: Apache-2.0

#ifndef IOKIT_AUDIO_IO_AUDIO_TYPES_H
#define IOKIT_AUDIO_IO_AUDIO_TYPES_H

// Values of properties of streams and data sources: the kind of terminal or port.

#include "../../MacTypes.h"

/// Kinds of terminals, with the numbers of the USB audio class.
enum {
  INPUT_UNDEFINED = 0x0200,
  INPUT_MICROPHONE = 0x0201,
  INPUT_DESKTOP_MICROPHONE = 0x0202,
  INPUT_PERSONAL_MICROPHONE = 0x0203,
  INPUT_OMNIDIRECTIONAL_MICROPHONE = 0x0204,
  INPUT_MICROPHONE_ARRAY = 0x0205,
  INPUT_PROCESSING_MICROPHONE_ARRAY = 0x0206,

  OUTPUT_UNDEFINED = 0x0300,
  OUTPUT_SPEAKER = 0x0301,
  OUTPUT_HEADPHONES = 0x0302,
  OUTPUT_HEAD_MOUNTED_DISPLAY_AUDIO = 0x0303,
  OUTPUT_DESKTOP_SPEAKER = 0x0304,
  OUTPUT_ROOM_SPEAKER = 0x0305,
  OUTPUT_COMMUNICATION_SPEAKER = 0x0306,
  OUTPUT_LOW_FREQUENCY_EFFECTS_SPEAKER = 0x0307,

  BIDIRECTIONAL_UNDEFINED = 0x0400,
  BIDIRECTIONAL_HANDSET = 0x0401,
  BIDIRECTIONAL_HEADSET = 0x0402,

  EXTERNAL_UNDEFINED = 0x0600,
  EXTERNAL_ANALOG_CONNECTOR = 0x0601,
  EXTERNAL_DIGITAL_AUDIO_INTERFACE = 0x0602,
  EXTERNAL_LINE_CONNECTOR = 0x0603,
  EXTERNAL_LEGACY_AUDIO_CONNECTOR = 0x0604,
  EXTERNAL_SPDIF_INTERFACE = 0x0605
};

/// Kinds of ports, as four-character codes.
enum {
  kIOAudioOutputPortSubTypeInternalSpeaker = 0x6973706b,  // 'ispk'
  kIOAudioOutputPortSubTypeExternalSpeaker = 0x6573706b,  // 'espk'
  kIOAudioOutputPortSubTypeHeadphones = 0x6864706e,  // 'hdpn'
  kIOAudioOutputPortSubTypeLine = 0x6c696e65,  // 'line'
  kIOAudioOutputPortSubTypeSPDIF = 0x73706466,  // 'spdf'

  kIOAudioInputPortSubTypeInternalMicrophone = 0x696d6963,  // 'imic'
  kIOAudioInputPortSubTypeExternalMicrophone = 0x656d6963,  // 'emic'
  kIOAudioInputPortSubTypeCD = 0x63642020,  // 'cd  '
  kIOAudioInputPortSubTypeLine = 0x6c696e65,  // 'line'
  kIOAudioInputPortSubTypeSPDIF = 0x73706466  // 'spdf'
};

#endif
