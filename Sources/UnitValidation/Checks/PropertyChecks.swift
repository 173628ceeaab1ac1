// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Properties that hosts read from every unit.
enum PropertyChecks {
  private static let scopes = [
    kAudioUnitScope_Global, kAudioUnitScope_Input, kAudioUnitScope_Output,
  ]

  /// The default formats of a new unit.
  static func defaultFormats(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    var texts: [String] = []
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
      for bus in 0..<tested.busCount(scope) {
        let place = "\(scopeName(scope)) bus \(bus)"
        guard let format = tested.format(scope, bus) else {
          throw Fault("\(place) has no StreamFormat")
        }
        try expect(
          format.isPlanarFloat, "\(place) begins with a format that is not 32-bit float, planar")
        try expect(
          (8_000...768_000).contains(format.mSampleRate),
          "\(place) begins with \(format.mSampleRate) frames per second")
        try expect(
          (1...64).contains(format.mChannelsPerFrame) && format.mFramesPerPacket == 1
            && format.mBytesPerPacket == format.mBytesPerFrame,
          "\(place) begins with \(format.mChannelsPerFrame) channels, "
            + "\(format.mFramesPerPacket) frames and \(format.mBytesPerPacket) bytes per packet")
        let rate = tested.property(
          kAudioUnitProperty_SampleRate, over: 0.0, scope, AudioUnitElement(bus))
        try expect(
          rate == format.mSampleRate,
          "SampleRate of \(place) is \(rate ?? 0), its format says \(format.mSampleRate)")
        if bus == 0 {
          texts.append(
            "\(scopeName(scope)) \(format.mChannelsPerFrame) × \(Int(format.mSampleRate)) Hz")
        }
      }
    }
    try expect(tested.busCount(kAudioUnitScope_Output) > 0, "it has no output bus")
    return texts.joined(separator: ", ")
  }

  /// The properties that every host relies on exist, with the right size.
  static func required(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let rows: [(String, AudioUnitPropertyID, AudioUnitScope, Int)] = [
      ("ClassInfo", kAudioUnitProperty_ClassInfo, kAudioUnitScope_Global, 8),
      ("ParameterList", kAudioUnitProperty_ParameterList, kAudioUnitScope_Global, -1),
      ("ElementCount", kAudioUnitProperty_ElementCount, kAudioUnitScope_Global, 4),
      ("ElementCount", kAudioUnitProperty_ElementCount, kAudioUnitScope_Input, 4),
      ("ElementCount", kAudioUnitProperty_ElementCount, kAudioUnitScope_Output, 4),
      ("Latency", kAudioUnitProperty_Latency, kAudioUnitScope_Global, 8),
      ("StreamFormat", kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 40),
      ("SampleRate", kAudioUnitProperty_SampleRate, kAudioUnitScope_Output, 8),
      (
        "MaximumFramesPerSlice", kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 4
      ),
      ("LastRenderError", kAudioUnitProperty_LastRenderError, kAudioUnitScope_Global, 4),
      ("PresentPreset", kAudioUnitProperty_PresentPreset, kAudioUnitScope_Global, 16),
    ]
    for (name, id, scope, size) in rows {
      guard let info = tested.info(id, scope) else {
        throw Fault("\(name) is missing in the \(scopeName(scope)) scope")
      }
      try expect(
        size < 0 || info.size == size,
        "\(name) of the \(scopeName(scope)) scope has \(info.size) bytes, expected \(size)")
    }
    if tested.busCount(kAudioUnitScope_Input) > 0 {
      let info = tested.info(kAudioUnitProperty_SetRenderCallback, kAudioUnitScope_Input)
      try expect(info?.isWritable == true, "SetRenderCallback cannot be set")
    }
    let latency = tested.latency
    try expect(
      latency.isFinite && latency >= 0 && latency < 60, "Latency is \(latency) seconds")
    guard let frames = tested.maximumFrames, frames > 0 else {
      throw Fault("MaximumFramesPerSlice cannot be read, or is 0")
    }
    return "at most \(frames) frames per slice"
  }

  /// Properties of good effects.
  static func recommended(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    guard tested.kind.isEffect else { throw Skip("it is no effect") }
    guard let tail = tested.tail else { throw Fault("TailTime is missing") }
    try expect(tail.isFinite && tail >= 0, "TailTime is \(tail) seconds")
    let rows = [
      ("BypassEffect", kAudioUnitProperty_BypassEffect),
      ("RenderQuality or InPlaceProcessing", kAudioUnitProperty_InPlaceProcessing),
      ("ElementName", kAudioUnitProperty_ElementName),
    ]
    for (name, id) in rows.prefix(2) {
      let info = tested.info(id) ?? tested.info(kAudioUnitProperty_RenderQuality)
      try expect(info?.isWritable == true, "\(name) is missing, or cannot be set")
    }
    return nil
  }

  /// GetPropertyInfo and GetProperty report the same size, in every scope.
  static func sizes(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    // Standard properties that need an argument in their value or return an object with more to
    // read.
    let questions: Set<AudioUnitPropertyID> = [
      kAudioUnitProperty_ParameterInfo, kAudioUnitProperty_ParameterValueStrings,
      kAudioUnitProperty_ParameterStringFromValue, kAudioUnitProperty_ParameterValueFromString,
      kAudioUnitProperty_ParameterIDName, kAudioUnitProperty_ParameterClumpName,
      kAudioUnitProperty_FrequencyResponse, kAudioUnitProperty_ParameterHistoryInfo,
      kAudioUnitProperty_DependentParameters,
    ]
    var count = 0
    for id in AudioUnitPropertyID(1)..<70 where !questions.contains(id) {
      for scope in scopes {
        guard let info = tested.info(id, scope) else { continue }
        var size = info.size + 64
        var bytes = [UInt8](repeating: 0xA5, count: Int(size))
        // Some properties can only be set, or have no value at the moment.
        guard AudioUnitGetProperty(tested.unit, id, scope, 0, &bytes, &size) == noErr else {
          continue
        }
        count += 1
        try expect(
          size == info.size,
          "property \(id) of the \(scopeName(scope)) scope has \(size) bytes, "
            + "but its info says \(info.size)")
        try expect(
          bytes[Int(size)...].allSatisfy { $0 == 0xA5 },
          "property \(id) of the \(scopeName(scope)) scope writes more bytes than it has")
      }
    }
    return "\(count) properties"
  }

  /// Each mistake returns its own error code.
  static func errors(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    var bytes = [UInt8](repeating: 0, count: 64)
    func get(
      _ id: AudioUnitPropertyID, _ scope: AudioUnitScope, _ element: AudioUnitElement
    ) -> OSStatus {
      var size = UInt32(bytes.count)
      return AudioUnitGetProperty(tested.unit, id, scope, element, &bytes, &size)
    }
    try expect(
      get(63_999, kAudioUnitScope_Global, 0), "an unknown property",
      isOneOf: [kAudioUnitErr_InvalidProperty])
    try expect(
      tested.set(63_999, UInt32(0)), "setting an unknown property",
      isOneOf: [kAudioUnitErr_InvalidProperty])
    try expect(
      get(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 9_999),
      "StreamFormat of bus 9999",
      isOneOf: [kAudioUnitErr_InvalidElement])
    try expect(
      get(kAudioUnitProperty_StreamFormat, 77, 0), "StreamFormat of scope 77",
      isOneOf: [kAudioUnitErr_InvalidScope, kAudioUnitErr_InvalidElement])
    try expect(
      tested.set(kAudioUnitProperty_Latency, 1.0), "setting Latency",
      isOneOf: [kAudioUnitErr_PropertyNotWritable])
    try expect(
      AudioUnitSetProperty(
        tested.unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, bytes, 2),
      "setting MaximumFramesPerSlice by two bytes",
      isOneOf: [kAudioUnitErr_InvalidPropertyValue, kAudio_ParamError])
    return nil
  }

  /// A listener is called for each change until it is removed.
  static func listeners(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    defer { count.deallocate() }
    let listener: AudioUnitPropertyListenerProc = { context, _, _, _, _ in
      context.assumingMemoryBound(to: Int.self).pointee += 1
    }
    let id = kAudioUnitProperty_MaximumFramesPerSlice
    try expect(
      AudioUnitAddPropertyListener(tested.unit, id, listener, count), "AudioUnitAddPropertyListener"
    )
    let frames = (tested.maximumFrames ?? 512) + 100
    try expect(tested.set(id, frames), "setting MaximumFramesPerSlice")
    try expect(
      count.pointee == 1,
      "after a change of MaximumFramesPerSlice its listener was called \(count.pointee) times")
    try expect(
      AudioUnitRemovePropertyListenerWithUserData(tested.unit, id, listener, count),
      "AudioUnitRemovePropertyListenerWithUserData")
    try expect(tested.set(id, frames + 1), "setting MaximumFramesPerSlice")
    try expect(count.pointee == 1, "a listener that was removed is called")
    return nil
  }

  /// The slice limit keeps its value, cannot change while initialised, and is never zero.
  static func maximumFrames(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let id = kAudioUnitProperty_MaximumFramesPerSlice
    for frames in [UInt32(1), 17, 512, 4_096] {
      try expect(tested.set(id, frames), "setting MaximumFramesPerSlice to \(frames)")
      try expect(
        tested.maximumFrames == frames,
        "MaximumFramesPerSlice is \(tested.maximumFrames ?? 0) after it was set to \(frames)")
    }
    for frames in [UInt32(0), .max] where tested.set(id, frames) == noErr {
      // It may be accepted if the unit then refuses to initialise.
      guard AudioUnitInitialize(tested.unit) == noErr else { continue }
      let actual = tested.maximumFrames ?? 0
      try expect(actual > 0, "MaximumFramesPerSlice is 0, and the unit initialises")
      try tested.uninitialize()
    }
    try expect(tested.set(id, UInt32(512)), "setting MaximumFramesPerSlice to 512")
    guard tested.kind != .device else { return nil }
    try tested.initialize()
    try expect(
      tested.set(id, UInt32(1_024)), "setting MaximumFramesPerSlice of an initialised unit",
      isOneOf: [kAudioUnitErr_Initialized, kAudioUnitErr_PropertyNotWritable])
    try expect(
      tested.maximumFrames == 512, "MaximumFramesPerSlice changed though it could not be set")
    return nil
  }

  /// If the number of buses can be set, it is the number that was set.
  static func buses(_ subject: TestedComponent) throws -> String? {
    let tested = try TestedUnit(subject)
    let id = kAudioUnitProperty_ElementCount
    var texts: [String] = []
    for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output]
    where tested.info(id, scope)?.isWritable == true {
      for count in [1, 2, 3, 16, 2] as [UInt32] {
        guard tested.set(id, count, scope) == noErr else { continue }
        try expect(
          tested.busCount(scope) == Int(count),
          "there are \(tested.busCount(scope)) \(scopeName(scope)) buses after setting \(count)")
        try expect(
          tested.format(scope, Int(count) - 1) != nil,
          "the last of \(count) \(scopeName(scope)) buses has no format")
        try expect(
          tested.format(scope, Int(count)) == nil, "there is a bus beyond \(count)")
      }
      texts.append(scopeName(scope))
    }
    guard !texts.isEmpty else { throw Skip("the number of its buses is fixed") }
    return texts.joined(separator: ", ")
  }
}
