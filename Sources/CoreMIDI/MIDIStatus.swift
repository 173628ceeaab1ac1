// SPDX-License-Identifier: Apache-2.0
import AudioSupport

extension StatusFamily {
  /// The status codes of MIDI.
  static let midi = StatusFamily(
    of: ["MIDI"],
    [
      .init(
        kMIDIInvalidClient, "kMIDIInvalidClient", "There is no client with this number.",
        "Create one with MIDIClientCreate, and keep it as long as its ports."),
      .init(
        kMIDIInvalidPort, "kMIDIInvalidPort",
        "There is no port with this number, or it is for the other direction.",
        "Send through output ports, and connect sources to input ports."),
      .init(
        kMIDIWrongEndpointType, "kMIDIWrongEndpointType",
        "The endpoint is a source where a destination is needed, or the other way round.",
        "MIDIGetSource and MIDIGetDestination return one kind each."),
      .init(
        kMIDINoConnection, "kMIDINoConnection", "The source is not connected to the port.",
        "Check MIDIPortConnectSource."),
      .init(
        kMIDIUnknownEndpoint, "kMIDIUnknownEndpoint", "The endpoint does not exist any more.",
        "Look for endpoints again when kMIDIMsgSetupChanged arrives."),
      .init(
        kMIDIUnknownProperty, "kMIDIUnknownProperty", "The object does not have this property.",
        "MIDIObjectGetProperties lists the properties of an object."),
      .init(
        kMIDIWrongPropertyType, "kMIDIWrongPropertyType",
        "The value of the property has another type.",
        "MIDIProperties.h has the types of properties."),
      .init(
        kMIDIMessageSendErr, "kMIDIMessageSendErr",
        "More is waiting to be sent than memory is reserved for, or the destination is offline.",
        "Send again when the messages before have arrived, or the device is back."),
      .init(
        kMIDIObjectNotFound, "kMIDIObjectNotFound", "There is no such object.",
        "Objects that a program has disposed of do not exist any more."),
      .init(
        kMIDIIDNotUnique, "kMIDIIDNotUnique", "Another object has this unique identifier.",
        "MIDIObjectFindByUniqueID finds it."),
      .init(
        kMIDINotPermitted, "kMIDINotPermitted",
        "The object is not one of this program, or the property is read only.",
        "Change only what the program has created."),
      .init(
        kMIDIUnknownError, "kMIDIUnknownError", "The messages do not have what was looked for.",
        "Check the group, and the type of the messages."),
    ])
}
