// SPDX-License-Identifier: Apache-2.0

#ifndef IOKIT_AUDIO_IO_AUDIO_TYPES_H
#define IOKIT_AUDIO_IO_AUDIO_TYPES_H

// Values of properties of streams and data sources: the kind of terminal or port.

#include "../../MacTypes.h"

/// Kinds of terminals, with the numbers of the USB audio class.
enum {
  /// An input of an unknown kind.
  INPUT_UNDEFINED = 0x0200,
  /// A microphone.
  INPUT_MICROPHONE = 0x0201,
  /// A microphone on a desk.
  INPUT_DESKTOP_MICROPHONE = 0x0202,
  /// A microphone at the head or the clothes of a person.
  INPUT_PERSONAL_MICROPHONE = 0x0203,
  /// A microphone for a room, equally sensitive in all directions.
  INPUT_OMNIDIRECTIONAL_MICROPHONE = 0x0204,
  /// Several microphones that are processed together.
  INPUT_MICROPHONE_ARRAY = 0x0205,
  /// Several microphones that process their signals themselves.
  INPUT_PROCESSING_MICROPHONE_ARRAY = 0x0206,

  /// An output of an unknown kind.
  OUTPUT_UNDEFINED = 0x0300,
  /// A loudspeaker.
  OUTPUT_SPEAKER = 0x0301,
  /// Headphones.
  OUTPUT_HEADPHONES = 0x0302,
  /// The sound of a display that is worn at the head.
  OUTPUT_HEAD_MOUNTED_DISPLAY_AUDIO = 0x0303,
  /// A loudspeaker on a desk.
  OUTPUT_DESKTOP_SPEAKER = 0x0304,
  /// A loudspeaker for a room.
  OUTPUT_ROOM_SPEAKER = 0x0305,
  /// A loudspeaker for speech.
  OUTPUT_COMMUNICATION_SPEAKER = 0x0306,
  /// A loudspeaker for low frequencies.
  OUTPUT_LOW_FREQUENCY_EFFECTS_SPEAKER = 0x0307,

  /// An input and output of an unknown kind.
  BIDIRECTIONAL_UNDEFINED = 0x0400,
  /// A receiver that is held to the ear.
  BIDIRECTIONAL_HANDSET = 0x0401,
  /// Headphones with a microphone.
  BIDIRECTIONAL_HEADSET = 0x0402,

  /// A connector of an unknown kind.
  EXTERNAL_UNDEFINED = 0x0600,
  /// An analog connector.
  EXTERNAL_ANALOG_CONNECTOR = 0x0601,
  /// A digital connector.
  EXTERNAL_DIGITAL_AUDIO_INTERFACE = 0x0602,
  /// A connector at line level.
  EXTERNAL_LINE_CONNECTOR = 0x0603,
  /// A connector of an older kind, such as that of a CD drive.
  EXTERNAL_LEGACY_AUDIO_CONNECTOR = 0x0604,
  /// A digital connector of the kind S/PDIF.
  EXTERNAL_SPDIF_INTERFACE = 0x0605
};

/// Kinds of ports, as four-character codes.
enum {
  /// The built-in loudspeaker.
  kIOAudioOutputPortSubTypeInternalSpeaker = 0x6973706b,  // 'ispk'
  /// A loudspeaker at a connector.
  kIOAudioOutputPortSubTypeExternalSpeaker = 0x6573706b,  // 'espk'
  /// Headphones.
  kIOAudioOutputPortSubTypeHeadphones = 0x6864706e,  // 'hdpn'
  /// An output at line level.
  kIOAudioOutputPortSubTypeLine = 0x6c696e65,  // 'line'
  /// A digital output of the kind S/PDIF.
  kIOAudioOutputPortSubTypeSPDIF = 0x73706466,  // 'spdf'

  /// The built-in microphone.
  kIOAudioInputPortSubTypeInternalMicrophone = 0x696d6963,  // 'imic'
  /// A microphone at a connector.
  kIOAudioInputPortSubTypeExternalMicrophone = 0x656d6963,  // 'emic'
  /// A CD drive.
  kIOAudioInputPortSubTypeCD = 0x63642020,  // 'cd  '
  /// An input at line level.
  kIOAudioInputPortSubTypeLine = 0x6c696e65,  // 'line'
  /// A digital input of the kind S/PDIF.
  kIOAudioInputPortSubTypeSPDIF = 0x73706466  // 'spdf'
};

#endif
