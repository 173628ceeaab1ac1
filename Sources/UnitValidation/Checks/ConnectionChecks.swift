// SPDX-License-Identifier: Apache-2.0
import AudioToolbox

/// Connections with other units, and processing in place.
enum ConnectionChecks {
  /// A source that always exists: the tone generator.
  private static func source(_ format: AudioStreamBasicDescription) throws -> AudioUnit {
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_Generator
    description.componentSubType = kAudioUnitSubType_ToneGenerator
    var unit: AudioUnit?
    guard let component = AudioComponentFindNext(nil, &description),
      AudioComponentInstanceNew(component, &unit) == noErr, let unit
    else { throw Skip("there is no tone generator to connect to it") }
    var format = format
    try expect(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_StreamFormat, kAudioUnitScope_Output, 0, &format, 40),
      "setting the format of the tone generator")
    var frames = UInt32(4_096)
    try expect(
      AudioUnitSetProperty(
        unit, kAudioUnitProperty_MaximumFramesPerSlice, kAudioUnitScope_Global, 0, &frames, 4),
      "setting the frames of the tone generator")
    try expect(AudioUnitInitialize(unit), "initialising the tone generator")
    return unit
  }

  /// A connection replaces the callback, sets the format, and can be removed.
  static func connects(_ subject: TestedComponent) throws -> String? {
    let probe = try TestedUnit(subject)
    guard probe.kind.isEffect || probe.kind == .mixer || probe.kind == .converter,
      let format = probe.format(kAudioUnitScope_Input)
    else { throw Skip("it has no input to connect") }
    let tone = try source(format)
    defer { AudioComponentInstanceDispose(tone) }
    let run = try RenderRun(subject)
    let connection = AudioUnitConnection(
      sourceAudioUnit: tone, sourceOutputNumber: 0, destInputNumber: 0)
    try expect(
      run.tested.set(kAudioUnitProperty_MakeConnection, connection, kAudioUnitScope_Input),
      "MakeConnection")
    let calls = run.feeds[0].state.pointee.callCount
    for frames in [512, 64, 1_000] { try run.mustRender(frames, "\(frames) frames, connected") }
    try expect(
      run.feeds[0].state.pointee.callCount == calls,
      "the callback of input bus 0 is called though a connection replaced it")
    try expect(
      lastRenderTime(tone) > 0, "the connected unit is not pulled")
    let none = AudioUnitConnection(
      sourceAudioUnit: nil, sourceOutputNumber: 0, destInputNumber: 0)
    try expect(
      run.tested.set(kAudioUnitProperty_MakeConnection, none, kAudioUnitScope_Input),
      "taking a connection away")
    if run.tested.kind.isEffect {
      try expect(
        run.render(64), "AudioUnitRender after the connection was removed",
        isOneOf: [kAudioUnitErr_NoConnection])
    }
    try expect(
      run.tested.set(
        kAudioUnitProperty_SetRenderCallback, run.feeds[0].callback, kAudioUnitScope_Input),
      "setting a callback after a connection")
    try run.mustRender(64, "with a callback again")
    return nil
  }

  /// The sample time of the last render.
  private static func lastRenderTime(_ unit: AudioUnit) -> Double {
    var (time, size) = (0.0, UInt32(8))
    let status = AudioUnitGetProperty(
      unit, kAudioUnitProperty_LastRenderSampleTime, kAudioUnitScope_Global, 0, &time, &size)
    // The first slice begins at 0, the later ones do not.
    return status == noErr ? time : 1
  }

  /// Another unit pulls its output.
  static func feeds(_ subject: TestedComponent) throws -> String? {
    let run = try RenderRun(subject, signal: TestSignal.noise(8_192))
    var description = AudioComponentDescription()
    description.componentType = kAudioUnitType_Effect
    description.componentSubType = kAudioUnitSubType_LowPassFilter
    guard let component = AudioComponentFindNext(nil, &description) else {
      throw Skip("there is no low-pass filter to connect it to")
    }
    let filter = try TestedComponent(component, isFull: false)
    let next = try RenderRun(filter) { unit in
      for scope in [kAudioUnitScope_Input, kAudioUnitScope_Output] {
        try expect(
          unit.set(
            kAudioUnitProperty_StreamFormat, floatFormat(run.sampleRate, run.channelCount), scope),
          "setting the format of the next unit")
      }
    }
    let connection = AudioUnitConnection(
      sourceAudioUnit: run.tested.unit, sourceOutputNumber: 0, destInputNumber: 0)
    try expect(
      next.tested.set(kAudioUnitProperty_MakeConnection, connection, kAudioUnitScope_Input),
      "connecting its output to another unit")
    for frames in [512, 64, 1] {
      try next.mustRender(
        frames,
        "\(frames) frames pulled by another unit")
    }
    return nil
  }

  /// AudioUnitProcess in place has the same output as AudioUnitRender.
  static func inPlace(_ subject: TestedComponent) throws -> String? {
    let signal = TestSignal.noise(4_096)
    let pulled = try RenderRun(subject, signal: signal)
    guard pulled.tested.kind.isEffect else { throw Skip("it is no effect") }
    let processed = try RenderRun(subject)
    guard
      processed.channelCount
        == Int(
          processed.tested.format(kAudioUnitScope_Input)?.mChannelsPerFrame ?? 0)
    else { throw Skip("its input and output channel counts differ") }
    let repeated = try RenderRun(subject, signal: signal).output(1_024)
    guard repeated == (try RenderRun(subject, signal: signal).output(1_024)) else {
      throw Skip("two instances differ: it is not deterministic")
    }
    for slice in 0..<4 {
      try pulled.mustRender(256)
      processed.prepareBuffers(256)
      for channel in 0..<processed.channelCount {
        for frame in 0..<256 {
          processed.samples(channel)[frame] = Feed.gain(channel) * signal[slice * 256 + frame]
        }
      }
      var stamp = AudioTimeStamp()
      stamp.mSampleTime = Double(256 * slice)
      stamp.mFlags = .sampleTimeValid
      let status = AudioUnitProcess(processed.tested.unit, nil, &stamp, 256, processed.buffers)
      if status == kAudio_UnimplementedError { throw Skip("it has no AudioUnitProcess") }
      try expect(status, "AudioUnitProcess")
      try processed.expectSound(256, "AudioUnitProcess")
      for channel in 0..<processed.channelCount {
        let deviation = difference(
          [Array(pulled.samples(channel))], [Array(processed.samples(channel))])
        try expect(
          deviation < 1e-6, "AudioUnitProcess in place and AudioUnitRender differ by \(deviation)")
      }
    }
    return nil
  }
}
