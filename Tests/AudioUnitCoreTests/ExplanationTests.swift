// SPDX-License-Identifier: Apache-2.0

import AudioToolbox
import Testing

@Suite("Explanations")
struct ExplanationTests {
  private var last: String {
    AUDiagnosticsCopyLastExplanation()?.takeRetainedValue().description ?? ""
  }

  /// Each part must be in the explanation.
  private func expect(_ parts: String..., sourceLocation: SourceLocation = #_sourceLocation) {
    let text = last
    for part in parts {
      #expect(text.contains(part), "in: \(text)", sourceLocation: sourceLocation)
    }
  }

  @Test("name the call, the code, the unit, the element, the given and the expected value")
  func format() throws {
    let host = try Host(.counter)
    var description = planarFormat(48_000)
    (description.mFormatFlags, description.mBytesPerFrame, description.mBytesPerPacket) = (
      0x9, 8, 8
    )
    _ = host.set(kAudioUnitProperty_StreamFormat, description, kAudioUnitScope_Output)
    expect(
      "AudioUnitSetProperty", "kAudioUnitErr_FormatNotSupported (-10868)", "Counter",
      "kAudioUnitProperty_StreamFormat", "element 0 of the output scope",
      "48,000 Hz, 2 channels, Float32, interleaved", "planar")
  }

  @Test("have a reason for people, without the names of the call and of the status")
  func reason() throws {
    let status = try Host(.values).setParameter(77, 1)
    let reason = AUDiagnosticsCopyReason(status).takeRetainedValue().description
    #expect(reason.contains("parameter 77"))
    #expect(!reason.contains("AudioUnitSetParameter") && !reason.contains("kAudioUnitErr"))
    #expect(last.hasSuffix(reason))
  }

  @Test("of all codes can be listed")
  func codes() {
    var names: Set<String> = []
    for index in 0..<AUDiagnosticsGetStatusCount() {
      var code: OSStatus = 1
      var (name, meaning): (Unmanaged<CFString>?, Unmanaged<CFString>?)
      #expect(AUDiagnosticsCopyStatusAtIndex(index, &code, &name, &meaning) == noErr)
      names.insert(name?.takeRetainedValue().description ?? "")
      #expect(meaning?.takeRetainedValue().description.isEmpty == false)
    }
    #expect(names.isSuperset(of: ["noErr", "kAudioUnitErr_InvalidScope"]))
    #expect(!names.contains(""))
    var code: OSStatus = 1
    var (name, meaning): (Unmanaged<CFString>?, Unmanaged<CFString>?)
    #expect(AUDiagnosticsCopyStatusAtIndex(.max, &code, &name, &meaning) == kAudio_ParamError)
    #expect(name == nil && meaning == nil)
    expect("AUDiagnosticsCopyStatusAtIndex", "status \(UInt32.max) of")
  }

  @Test("use the name from the family of the call, if two families use a number")
  func families() throws {
    var opened: AudioFileStreamID?
    let result = AudioFileStreamOpen(nil, { _, _, _, _ in }, { _, _, _, _, _ in }, 0, &opened)
    #expect(result == noErr)
    let stream = try #require(opened)
    defer { AudioFileStreamClose(stream) }
    var size: UInt32 = 0
    let status = AudioFileStreamGetPropertyInfo(stream, 0x3f3f_3f3f, &size, nil)
    #expect(status == kAudioFileUnsupportedPropertyError)
    expect("AudioFileStreamGetPropertyInfo: kAudioFileStreamError_UnsupportedProperty", "'????'")
    let text = AUDiagnosticsCopyDescription(status).takeRetainedValue() as String
    #expect(text.hasPrefix("kAudioFileUnsupportedPropertyError"))
  }

  @Test("of an element state how many there are")
  func element() throws {
    _ = try Host(.sums).statusOfGetting(kAudioUnitProperty_StreamFormat, kAudioUnitScope_Input, 5)
    expect("AudioUnitGetProperty", "-10877", "Sums", "element 5 of the input scope", "are 2")
  }

  @Test("of a scope name the scopes of the property")
  func scope() throws {
    _ = try Host(.echo).set(kAudioUnitProperty_BypassEffect, UInt32(1), kAudioUnitScope_Output)
    expect("-10866", "kAudioUnitProperty_BypassEffect", "output", "global")
  }

  @Test("of a size name both")
  func size() throws {
    _ = try Host(.echo).set(kAudioUnitProperty_MaximumFramesPerSlice, UInt64(1))
    expect("-10851", "8 bytes", "UInt32 has 4")
  }

  @Test("of a parameter name it and its scope")
  func parameter() throws {
    _ = try Host(.values).setParameter(77, 1)
    expect("AudioUnitSetParameter", "-10878", "parameter 77", "global")
    _ = try Host(.values).setParameter(0, .nan)
    expect("-66743", "nan")
  }

  @Test("of channels name both sides")
  func channels() throws {
    let host = try Host(.echo)
    _ = host.setFormat(kAudioUnitScope_Input, channels: 6)
    _ = host.initialize()
    expect("AudioUnitInitialize", "6 input and 2 output channels")
  }

  @Test("of a connection name both units")
  func connection() throws {
    let (source, host) = (try Host(.counter), try Host(.echo))
    _ = source.setFormat(kAudioUnitScope_Output, rate: 8_000)
    _ = host.initialize()
    _ = host.connect(source)
    expect("Echo", "Counter gives 8,000 Hz", "44,100 Hz", "uninitialize")
  }

  @Test("of a handle state that it is invalid")
  func handle() throws {
    _ = AudioUnitInitialize(fromBits(0x1230, AudioUnit.self))
    expect("AudioUnitInitialize", "-50", "existing audio unit")
  }

  @Test("of a render name the code, the unit, the bus and the frames")
  func render() throws {
    let host = try Host(.echo)
    _ = host.initialize()
    _ = host.render(2_000)
    expect(
      "AudioUnitRender", "kAudioUnitErr_TooManyFramesToProcess (-10874)", "Echo", "2000 frames")
    _ = host.render(10, bus: 3)
    expect("-10877", "bus 3")
    _ = host.initialize()
    _ = host.setParameter(9, 1)
    expect("AudioUnitSetParameter")
  }

  @Test("of a render with the wrong buffers state which are expected")
  func buffers() throws {
    let host = try Host(.echo)
    #expect(host.initialize() == noErr)
    var flags = AudioUnitRenderActionFlags()
    var time = AudioTimeStamp()
    time.mFlags = .sampleTimeValid
    var list = AudioBufferList(
      mNumberBuffers: 1, mBuffers: AudioBuffer(mNumberChannels: 1, mDataByteSize: 40, mData: nil))
    #expect(AudioUnitRender(host.unit, &flags, &time, 0, 10, &list) == kAudio_ParamError)
    expect(
      "AudioUnitRender", "-50", "44,100 Hz, 2 channels, Float32, planar",
      "expected 2 buffers of at least 40 bytes", "bus 0, 10 frames")
  }

  @Test("are stored for each thread, and remain after calls that succeed")
  func threads() async throws {
    let host = try Host(.echo)
    _ = host.setParameter(55, 1)
    #expect(host.initialize() == noErr)
    let other = await Task.detached {
      await withCheckedContinuation { continuation in
        let thread = Thread {
          let none = AUDiagnosticsCopyLastExplanation() == nil
          _ = host.setParameter(66, 1)
          continuation.resume(
            returning: (none, AUDiagnosticsCopyLastExplanation()?.takeRetainedValue().description))
        }
        thread.start()
      }
    }.value
    #expect(other.0)
    #expect(other.1?.contains("66") == true)
  }

  @Test(
    "of codes name, explain and advise", arguments: [-10_868, -10_851, -50, 0, 12_345, -66_743])
  func codes(code: OSStatus) {
    let text = AUDiagnosticsCopyDescription(code).takeRetainedValue().description
    #expect(text.contains("\(code)"))
    #expect(text.count > 20)
  }
}
