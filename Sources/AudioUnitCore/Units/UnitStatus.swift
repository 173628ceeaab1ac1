// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
import CAudioToolbox

extension StatusFamily {
  /// The statuses that functions of units return.
  public static let units = StatusFamily(
    of: ["AudioUnit", "AudioOutputUnit", "MusicDevice"],
    [
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
        "Raise kAudioUnitProperty_ElementCount before you initialize, or correct the number; on an "
          + "I/O "
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
        "The file is damaged, or its contents do not match its "
          + "name.", "Open it with another program to check."),
      .init(
        kAudioUnitErr_UnknownFileType, "kAudioUnitErr_UnknownFileType",
        "Files of this type cannot be read.", "Convert it to WAV."),
      .init(
        kAudioUnitErr_FileNotSpecified, "kAudioUnitErr_FileNotSpecified",
        "The unit needs a file and has none.", "Set its file property first."),
      .init(
        kAudioUnitErr_FormatNotSupported, "kAudioUnitErr_FormatNotSupported",
        "The stream format, or this combination of channel counts, is not supported there.",
        "Compare bits with bytes, channels with bytes per frame, and both sides of a connection; "
          + "most "
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
        "The property can only be read, or cannot be written now.",
        "Uninitialize the unit, or disconnect the input whose format you change."),
      .init(
        kAudioUnitErr_CannotDoInCurrentContext, "kAudioUnitErr_CannotDoInCurrentContext",
        "Not now: the unit is being rendered or changed by another thread, or input is read "
          + "outside of "
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
        "Call AudioUnitUninitialize (or AudioOutputUnitStop), change it, and continue."),
      .init(
        kAudioUnitErr_InvalidOfflineRender, "kAudioUnitErr_InvalidOfflineRender",
        "An offline unit was rendered before its preflight.", "Render the preflight first."),
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
        "The parameter value is infinite or not a number.", "Look for a division by zero before it."
      ),
      .init(
        kAudioUnitErr_InvalidFilePath, "kAudioUnitErr_InvalidFilePath",
        "The path of a file is not usable.", "Check that the folder exists and can be written."),
      .init(
        kAudioUnitErr_MissingKey, "kAudioUnitErr_MissingKey",
        "A dictionary lacks a required entry.", "Compare with one that the unit saved."),
      .init(
        kAudioUnitErr_ComponentManagerNotSupported, "kAudioUnitErr_ComponentManagerNotSupported",
        "The plug-in is of a kind that is no longer loaded.", "Ask its maker for a newer one."),
      .init(
        kAudioUnitErr_MultipleVoiceProcessors, "kAudioUnitErr_MultipleVoiceProcessors",
        "There already is a voice-processing unit.", "Use that one."),
      .init(
        kAudioUnitErr_IllegalInstrument, "kAudioUnitErr_IllegalInstrument",
        "The instrument does not exist.", "List the instruments of the bank."),
      .init(
        kAudioUnitErr_InstrumentTypeNotFound, "kAudioUnitErr_InstrumentTypeNotFound",
        "The instrument's kind is unknown.", "Check the type code."),
    ])

  /// The statuses that functions of components return.
  public static let components = StatusFamily(
    of: ["AudioComponent"],
    [
      .init(
        invalidComponentID, "invalidComponentID",
        "No component is registered under these codes.",
        "`au list` shows all components; register your own before you open the graph."),
      .init(
        kAudioComponentErr_InstanceTimedOut, "kAudioComponentErr_InstanceTimedOut",
        "Creating an instance took too long.", "Try again."),
      .init(
        kAudioComponentErr_InstanceInvalidated, "kAudioComponentErr_InstanceInvalidated",
        "The instance has ended, or the process of its plug-in.",
        "Initialize the unit again, or make a new one."),
      .init(
        kAudioComponentErr_DuplicateDescription, "kAudioComponentErr_DuplicateDescription",
        "A component with the same type, subtype and manufacturer is registered, and its version "
          + "is "
          + "not lower.", "Choose another subtype, or a higher version."),
      .init(
        kAudioComponentErr_UnsupportedType, "kAudioComponentErr_UnsupportedType",
        "Components of this type cannot be registered.", "Check the type code."),
      .init(
        kAudioComponentErr_TooManyInstances, "kAudioComponentErr_TooManyInstances",
        "The component allows no further instance.", "Dispose of one."),
      .init(
        kAudioComponentErr_NotPermitted, "kAudioComponentErr_NotPermitted",
        "The process is not allowed to do this.", "Check its permissions."),
      .init(
        kAudioComponentErr_InitializationTimedOut, "kAudioComponentErr_InitializationTimedOut",
        "A host did not render in time.", "Try again."),
      .init(
        kAudioComponentErr_InvalidFormat, "kAudioComponentErr_InvalidFormat",
        "The sample rate is not the hardware's.", "Set the device's rate."),
    ])
}
