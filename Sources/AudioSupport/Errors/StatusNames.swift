// SPDX-License-Identifier: Apache-2.0
public import CAudioToolbox

/// What a status code is called, what it means and what to do about it.
public struct StatusName: Sendable {
  public let code: OSStatus
  /// The C constant.
  public let name: String
  /// When it is returned.
  public let meaning: String
  /// What to look at.
  public let advice: String

  /// The entry of a code; nil for one that is nobody's here. Of several families that use the same code,
  /// that of the function that returned it, where it is named.
  public static func of(_ code: OSStatus, from call: String = "") -> StatusName? {
    let entries = table.lazy.filter { $0.code == code }
    guard !call.isEmpty else { return entries.first }
    func likeness(_ entry: StatusName) -> Int {
      zip(entry.name.utf8.dropFirst(), call.utf8).prefix { $0.0 == $0.1 }.count
    }
    // Not `max`: among equals it takes the last.
    return entries.reduce(nil) { best, entry in
      best.map { likeness($0) >= likeness(entry) } ?? false ? best : entry
    }
  }

  /// "kAudioUnitErr_FormatNotSupported (-10868)", or the number and its four characters.
  public static func text(_ code: OSStatus, from call: String = "") -> String {
    if let entry = of(code, from: call) { return "\(entry.name) (\(code))" }
    let letters = FourCharacterCode(UInt32(bitPattern: code)).description
    return letters.hasPrefix("0x") ? "status \(code)" : "'\(letters)' (\(code))"
  }

  private init(_ code: OSStatus, _ name: String, _ meaning: String, _ advice: String) {
    (self.code, self.name, self.meaning, self.advice) = (code, name, meaning, advice)
  }

  /// Every code that the library returns or passes on.
  public static let table: [StatusName] =
    units + components + graphs + hardware + converters + base

  private static let units: [StatusName] = [
    .init(
      kAudioUnitErr_InvalidProperty, "kAudioUnitErr_InvalidProperty",
      "The unit does not have this property.",
      "`au info TYPE SUBTYPE` lists the properties that it has."),
    .init(
      kAudioUnitErr_InvalidParameter, "kAudioUnitErr_InvalidParameter",
      "The unit does not have this parameter, or it can only be read.",
      "Look at kAudioUnitProperty_ParameterList of the same scope."),
    .init(
      kAudioUnitErr_InvalidElement, "kAudioUnitErr_InvalidElement",
      "The element (bus) number is not below the element count of the scope.",
      "Raise kAudioUnitProperty_ElementCount before you initialize, or mend the number; on an I/O "
        + "unit 0 is output and 1 is input."),
    .init(
      kAudioUnitErr_NoConnection, "kAudioUnitErr_NoConnection",
      "A render needs an input that nothing feeds.",
      "Set a render callback or a connection on that input."),
    .init(
      kAudioUnitErr_FailedInitialization, "kAudioUnitErr_FailedInitialization",
      "The unit cannot be initialized: a device, a file or a library is not there.",
      "AUDIOTOOLBOX_LOG=1 prints the reason."),
    .init(
      kAudioUnitErr_TooManyFramesToProcess, "kAudioUnitErr_TooManyFramesToProcess",
      "A render asks for more frames than kAudioUnitProperty_MaximumFramesPerSlice.",
      "Raise that property on every unit of the chain before you initialize, 4,096 for example."),
    .init(
      kAudioUnitErr_InvalidFile, "kAudioUnitErr_InvalidFile",
      "The file is damaged or not what its name says.", "Open it with another program to check."),
    .init(
      kAudioUnitErr_UnknownFileType, "kAudioUnitErr_UnknownFileType",
      "The file is of a kind that is not read here.", "Convert it to WAV."),
    .init(
      kAudioUnitErr_FileNotSpecified, "kAudioUnitErr_FileNotSpecified",
      "The unit needs a file and has none.", "Set its file property first."),
    .init(
      kAudioUnitErr_FormatNotSupported, "kAudioUnitErr_FormatNotSupported",
      "The stream format, or this set of channel counts, is not possible at that place.",
      "Compare bits with bytes, channels with bytes per frame, and both sides of a connection; most "
        + "units take native Float32, planar."),
    .init(
      kAudioUnitErr_Uninitialized, "kAudioUnitErr_Uninitialized",
      "The call needs an initialized unit.", "Call AudioUnitInitialize first."),
    .init(
      kAudioUnitErr_InvalidScope, "kAudioUnitErr_InvalidScope",
      "The property or parameter is not on this scope.",
      "Most belong to the global scope; formats and callbacks to input or output."),
    .init(
      kAudioUnitErr_PropertyNotWritable, "kAudioUnitErr_PropertyNotWritable",
      "The property can only be read, or not be written now.",
      "Uninitialize the unit, or disconnect the input whose format you change."),
    .init(
      kAudioUnitErr_CannotDoInCurrentContext, "kAudioUnitErr_CannotDoInCurrentContext",
      "Not now: the unit is being rendered or changed by another thread, or input is read outside of "
        + "its callback.", "Try again after this render; render a unit from one thread only."),
    .init(
      kAudioUnitErr_InvalidPropertyValue, "kAudioUnitErr_InvalidPropertyValue",
      "The value or its size is wrong.", "Compare the size with AudioUnitGetPropertyInfo."),
    .init(
      kAudioUnitErr_PropertyNotInUse, "kAudioUnitErr_PropertyNotInUse",
      "The property exists but nothing was set.", "Set it, or treat it as empty."),
    .init(
      kAudioUnitErr_Initialized, "kAudioUnitErr_Initialized",
      "Not while the unit is initialized (or, for an I/O unit, while it runs).",
      "Call AudioUnitUninitialize (or AudioOutputUnitStop), change it, and go on."),
    .init(
      kAudioUnitErr_InvalidOfflineRender, "kAudioUnitErr_InvalidOfflineRender",
      "An offline unit is rendered before its preflight.", "Render the preflight first."),
    .init(
      kAudioUnitErr_Unauthorized, "kAudioUnitErr_Unauthorized",
      "A plug-in refuses to work without a licence.", "Ask its maker."),
    .init(
      kAudioUnitErr_MIDIOutputBufferFull, "kAudioUnitErr_MIDIOutputBufferFull",
      "More MIDI came out than the buffer holds.", "Enlarge the buffer."),
    .init(
      kAudioUnitErr_RenderTimeout, "kAudioUnitErr_RenderTimeout",
      "A unit in another process missed its deadline.", "Use larger slices."),
    .init(
      kAudioUnitErr_ExtensionNotFound, "kAudioUnitErr_ExtensionNotFound",
      "The plug-in is gone.", "Install it again."),
    .init(
      kAudioUnitErr_InvalidParameterValue, "kAudioUnitErr_InvalidParameterValue",
      "The parameter value is infinite or not a number.", "Look for a division by zero before it."),
    .init(
      kAudioUnitErr_InvalidFilePath, "kAudioUnitErr_InvalidFilePath",
      "The path of a file is not usable.", "Check that the folder exists and can be written."),
    .init(
      kAudioUnitErr_MissingKey, "kAudioUnitErr_MissingKey",
      "A dictionary lacks an entry that is needed.", "Compare with one that the unit saved."),
    .init(
      kAudioUnitErr_ComponentManagerNotSupported, "kAudioUnitErr_ComponentManagerNotSupported",
      "The plug-in is of a kind that is no longer loaded.", "Ask its maker for a newer one."),
    .init(
      kAudioUnitErr_MultipleVoiceProcessors, "kAudioUnitErr_MultipleVoiceProcessors",
      "There is a voice-processing unit already.", "Use one."),
    .init(
      kAudioUnitErr_IllegalInstrument, "kAudioUnitErr_IllegalInstrument",
      "The instrument does not exist.", "List the instruments of the bank."),
    .init(
      kAudioUnitErr_InstrumentTypeNotFound, "kAudioUnitErr_InstrumentTypeNotFound",
      "The instrument's kind is unknown.", "Check the type code."),
  ]

  private static let components: [StatusName] = [
    .init(
      invalidComponentID, "invalidComponentID",
      "No component is registered under these codes.",
      "`au list` shows all components; register your own before you open the graph."),
    .init(
      kAudioComponentErr_InstanceTimedOut, "kAudioComponentErr_InstanceTimedOut",
      "An instance took too long to be made.", "Try again."),
    .init(
      kAudioComponentErr_InstanceInvalidated, "kAudioComponentErr_InstanceInvalidated",
      "The instance has ended.", "Make a new one."),
    .init(
      kAudioComponentErr_DuplicateDescription, "kAudioComponentErr_DuplicateDescription",
      "A component with the same type, subtype and manufacturer is registered, and its version is "
        + "not lower.", "Choose another subtype, or a higher version."),
    .init(
      kAudioComponentErr_UnsupportedType, "kAudioComponentErr_UnsupportedType",
      "Components of this type cannot be registered.", "Check the type code."),
    .init(
      kAudioComponentErr_TooManyInstances, "kAudioComponentErr_TooManyInstances",
      "The component allows no further instance.", "Dispose of one."),
    .init(
      kAudioComponentErr_NotPermitted, "kAudioComponentErr_NotPermitted",
      "The process may not do this.", "Check its permissions."),
    .init(
      kAudioComponentErr_InitializationTimedOut, "kAudioComponentErr_InitializationTimedOut",
      "A host did not render in time.", "Try again."),
    .init(
      kAudioComponentErr_InvalidFormat, "kAudioComponentErr_InvalidFormat",
      "The sample rate is not the hardware's.", "Set the device's rate."),
  ]

  private static let graphs: [StatusName] = [
    .init(
      -10860, "kAUGraphErr_NodeNotFound", "The graph has no such node.",
      "Keep the number that AUGraphAddNode gave."),
    .init(
      -10861, "kAUGraphErr_InvalidConnection",
      "The connection does not exist or an end of it is taken.", "Disconnect that input first."),
    .init(
      -10862, "kAUGraphErr_OutputNodeErr", "A graph has exactly one output node.",
      "Add one, or remove the second."),
    .init(
      -10864, "kAUGraphErr_InvalidAudioUnit", "The node has no unit yet.",
      "Call AUGraphOpen first."),
  ]

  private static let hardware: [StatusName] = [
    .init(
      kAudioHardwareUnknownPropertyError, "kAudioHardwareUnknownPropertyError",
      "The audio object does not have this property, or not in this scope.",
      "AudioHardware.h lists the properties with their scopes."),
    .init(
      kAudioHardwareBadPropertySizeError, "kAudioHardwareBadPropertySizeError",
      "The memory is too small for the value, or not of its size.",
      "Ask AudioObjectGetPropertyDataSize first."),
    .init(
      kAudioHardwareIllegalOperationError, "kAudioHardwareIllegalOperationError",
      "The device cannot have this value.",
      "Look at kAudioDevicePropertyAvailableNominalSampleRates and "
        + "kAudioDevicePropertyBufferFrameSizeRange."),
    .init(
      kAudioHardwareBadObjectError, "kAudioHardwareBadObjectError",
      "There is no audio object of this number, or no more.", "`au devices` shows what there is."),
    .init(
      kAudioHardwareUnsupportedOperationError, "kAudioHardwareUnsupportedOperationError",
      "The property can only be read.", "Ask AudioObjectIsPropertySettable first."),
  ]

  private static let converters: [StatusName] = [
    .init(
      kAudioConverterErr_FormatNotSupported, "kAudioConverterErr_FormatNotSupported",
      "One of the formats cannot be converted, or not into the other.",
      "Compare bits with bytes, and bytes per frame with channels; kAudioFormatProperty_DecodeFormatIDs "
        + "and -EncodeFormatIDs list the codecs."),
    .init(
      kAudioConverterErr_OperationNotSupported, "kAudioConverterErr_OperationNotSupported",
      "The converter cannot do this with its formats, or not now.",
      "Convert on one thread, and change nothing from inside of the input function."),
    .init(
      kAudioConverterErr_PropertyNotSupported, "kAudioConverterErr_PropertyNotSupported",
      "The converter does not have this property.", "AudioConverter.h lists the properties."),
    .init(
      kAudioConverterErr_InvalidInputSize, "kAudioConverterErr_InvalidInputSize",
      "The input is not whole packets, or not where it is said to be.",
      "Compare mDataByteSize with the packets, and these with their descriptions."),
    .init(
      kAudioConverterErr_InvalidOutputSize, "kAudioConverterErr_InvalidOutputSize",
      "The output does not hold a packet, or a buffer of it is missing.",
      "Set mDataByteSize before each call; kAudioConverterPropertyMaximumOutputPacketSize is a packet."
    ),
    .init(
      kAudioConverterErr_UnspecifiedError, "kAudioConverterErr_UnspecifiedError",
      "A codec failed.", "AUDIOTOOLBOX_LOG=1 prints the reason."),
    .init(
      kAudioConverterErr_BadPropertySizeError, "kAudioConverterErr_BadPropertySizeError",
      "The memory is too small for the value, or not of its size.",
      "Ask AudioConverterGetPropertyInfo first."),
    .init(
      kAudioConverterErr_RequiresPacketDescriptionsError,
      "kAudioConverterErr_RequiresPacketDescriptionsError",
      "Packets differ in size, and nothing says where each lies.",
      "Give room for descriptions, and have the input function set them."),
    .init(
      kAudioConverterErr_InputSampleRateOutOfRange, "kAudioConverterErr_InputSampleRateOutOfRange",
      "The rate of the input is not possible.", "Choose one within 256 times that of the output."),
    .init(
      kAudioConverterErr_OutputSampleRateOutOfRange,
      "kAudioConverterErr_OutputSampleRateOutOfRange", "The rate of the output is not possible.",
      "Choose one within 256 times that of the input; encoders take few rates."),
  ]

  private static let base: [StatusName] = [
    .init(noErr, "noErr", "All is well.", "Nothing to do."),
    .init(
      kAudio_UnimplementedError, "kAudio_UnimplementedError",
      "The unit does not have this function.", "AudioComponentInstanceCanDo tells in advance."),
    .init(
      kAudio_ParamError, "kAudio_ParamError",
      "An argument is null, inconsistent, or a handle that is not (or no longer) living.",
      "Check pointers, buffer counts and sizes, and the order of dispose calls."),
    .init(
      kAudio_MemFullError, "kAudio_MemFullError", "There is no memory or no place left.",
      "Dispose of what you no longer use."),
    .init(
      kAudio_FileNotFoundError, "kAudio_FileNotFoundError", "The file does not exist.",
      "Check the path."),
    .init(
      kAudio_FilePermissionError, "kAudio_FilePermissionError",
      "The file may not be read or written.", "Check its permissions and its folder's."),
    .init(
      kAudio_TooManyFilesOpenError, "kAudio_TooManyFilesOpenError", "Too many files are open.",
      "Close some, or raise `ulimit -n`."),
    .init(
      kAudio_BadFilePathError, "kAudio_BadFilePathError", "The path is malformed.",
      "Check the path."),
  ]
}
