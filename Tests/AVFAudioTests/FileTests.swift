// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

@Suite("AVAudioFile")
struct FileTests {
  /// A folder that is removed with the test.
  private final class Folder {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    deinit { try? FileManager.default.removeItem(at: url) }
    func file(_ name: String) -> URL { url.appendingPathComponent(name) }
  }

  private let folder: Folder

  init() throws { folder = try Folder() }

  private static var settings: [String: Any] {
    [
      AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000.0, AVNumberOfChannelsKey: 2,
    ]
  }

  /// Writes a ramp of 1,000 frames.
  private func write(_ url: URL, _ more: [String: Any] = [:]) throws {
    let file = try AVAudioFile(forWriting: url, settings: Self.settings.merging(more) { $1 })
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1_000))
    let channels = try #require(buffer.floatChannelData)
    for frame in 0..<1_000 {
      channels[0][frame] = Float(frame) / 1_000
      channels[1][frame] = -Float(frame) / 1_000
    }
    try file.write(from: buffer)
    #expect(file.length == 0)
    buffer.frameLength = 1_000
    try file.write(from: buffer)
    #expect(file.length == 1_000)
    file.close()
    #expect(!file.isOpen)
  }

  @Test("reads what it wrote", arguments: ["sound.wav", "sound.aiff", "sound.caf"])
  func roundTrip(name: String) throws {
    let url = folder.file(name)
    try write(url)
    let file = try AVAudioFile(forReading: url)
    #expect(file.isOpen)
    #expect(file.url == url)
    #expect(file.length == 1_000)
    #expect(
      file.processingFormat == AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    let fields = file.fileFormat.streamDescription.pointee
    #expect(fields.mBitsPerChannel == 16)
    #expect((fields.mFormatFlags & kAudioFormatFlagIsBigEndian != 0) == name.hasSuffix("aiff"))
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 600))
    try file.read(into: buffer)
    #expect(buffer.frameLength == 600)
    #expect(file.framePosition == 600)
    let samples = try #require(buffer.floatChannelData)
    #expect((0..<600).allSatisfy { abs(samples[1][$0] + Float($0) / 1_000) < 1e-4 })
    try file.read(into: buffer)
    #expect(buffer.frameLength == 400)
    #expect(throws: NSError.self) { try file.read(into: buffer) }
    #expect(buffer.frameLength == 0)
    file.framePosition = 990
    try file.read(into: buffer, frameCount: 5)
    #expect(buffer.frameLength == 5)
    #expect(abs(samples[0][0] - 0.99) < 1e-4)
  }

  @Test("has the kind that the settings name, whatever its extension")
  func kind() throws {
    let url = folder.file("sound.wav")
    try write(url, [AVAudioFileTypeKey: kAudioFileAIFFType])
    #expect(try Data(contentsOf: url).prefix(4) == Data("FORM".utf8))
    #expect(try AVAudioFile(forReading: url).length == 1_000)
    try write(folder.file("sound"), [AVAudioFileTypeKey: kAudioFileCAFType])
    #expect(try Data(contentsOf: folder.file("sound")).prefix(4) == Data("caff".utf8))
    #expect(throws: NSError.self) { try write(url, [AVAudioFileTypeKey: "wav"]) }
  }

  @Test("keeps samples of each kind", arguments: [8, 16, 24, 32])
  func bits(depth: Int) throws {
    let url = folder.file("\(depth).wav")
    try write(url, [AVLinearPCMBitDepthKey: depth, AVLinearPCMIsNonInterleaved: true])
    let file = try AVAudioFile(forReading: url, commonFormat: .pcmFormatInt32, interleaved: true)
    #expect(file.fileFormat.streamDescription.pointee.mBitsPerChannel == UInt32(depth))
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: 1_000))
    try file.read(into: buffer)
    let samples = try #require(buffer.int32ChannelData)
    #expect(abs(Double(samples[0][2 * 500]) / 0x1p31 - 0.5) < 1 / Double(1 << (depth - 2)))
  }

  @Test("writes floats and compressed samples")
  func formats() throws {
    let float = folder.file("float.wav")
    try write(float, [AVLinearPCMIsFloatKey: true, AVLinearPCMBitDepthKey: 32])
    #expect(try AVAudioFile(forReading: float).fileFormat.commonFormat == .pcmFormatFloat32)
    let law = folder.file("law.caf")
    try write(
      law,
      [
        AVFormatIDKey: Int(kAudioFormatULaw), AVEncoderBitRateKey: 320_000,
        AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue,
      ])
    let file = try AVAudioFile(forReading: law)
    #expect(file.fileFormat.streamDescription.pointee.mFormatID == kAudioFormatULaw)
    #expect(file.length == 1_000)
  }

  private func code(_ body: () throws -> Void) -> Int? {
    let error = #expect(throws: NSError.self) { try body() }
    return error?.code
  }

  @Test("says what is wrong by the codes of Apple's systems")
  func errors() throws {
    #expect(
      code { _ = try AVAudioFile(forReading: folder.file("none.wav")) }
        == Int(kAudioFileUnspecifiedError))
    let text = folder.file("text.wav")
    try Data("no sound in here, only text, and more text".utf8).write(to: text)
    #expect(
      code { _ = try AVAudioFile(forReading: text) } == Int(kAudioFileUnsupportedFileTypeError))
    #expect(
      code { _ = try AVAudioFile(forWriting: folder.file("sound.xyz"), settings: Self.settings) }
        == Int(kAudioFileUnsupportedFileTypeError))
    #expect(
      code {
        _ = try AVAudioFile(
          forWriting: folder.file("sound.wav"),
          settings: Self.settings.merging([AVLinearPCMBitDepthKey: 5]) { $1 })
      } == Int(kAudioFileUnsupportedDataFormatError))
    let url = folder.file("other.wav")
    let file = try AVAudioFile(forWriting: url, settings: Self.settings)
    let other = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: other, frameCapacity: 10))
    buffer.frameLength = 10
    #expect(code { try file.write(from: buffer) } == -50)
    file.close()
    #expect(code { try file.write(from: buffer) } == -43)
    #expect(file.length == 0)
  }

  @Test("names the failed call in each error, and what to do")
  func failedCalls() throws {
    let url = folder.file("calls.wav")
    let writer = try AVAudioFile(forWriting: url, settings: Self.settings)
    let format = writer.processingFormat
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 10))
    buffer.frameLength = 10
    try writer.write(from: buffer)
    writer.close()
    let file = try AVAudioFile(forReading: url)
    let small = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 0))
    let calls: [(call: String, mend: String, body: () throws -> Void)] = [
      (
        "init(forReading:", "No such file",
        { _ = try AVAudioFile(forReading: self.folder.file("none.wav")) }
      ),
      (
        "init(forWriting:", "; use another, such as wav",
        { _ = try AVAudioFile(forWriting: self.folder.file("a.xyz"), settings: Self.settings) }
      ),
      ("read(into:", "; ask for frames, and make a buffer", { try file.read(into: small) }),
      (
        "read(into:", "; ask for frames, and make a buffer",
        { try file.read(into: buffer, frameCount: 0) }
      ),
      ("write(from:)", "; open it with AVAudioFile(forWr", { try file.write(from: buffer) }),
      ("write(from:)", "; open it again", { try writer.write(from: buffer) }),
      ("read(into:", "; open it again", { try writer.read(into: buffer) }),
    ]
    for (call, mend, body) in calls {
      let error = #expect(throws: NSError.self) { try body() }
      let text = error?.localizedDescription ?? ""
      #expect(error?.domain == "com.apple.coreaudio.avfaudio")
      #expect((error?.userInfo["failed call"] as? String)?.hasPrefix("AVAudioFile.\(call)") == true)
      #expect(text.hasPrefix("AVAudioFile.\(call)") && text.contains(mend), "\(text)")
    }
    #expect(small.frameLength == 0 && file.framePosition == 0)
  }

  @Test("a file without bytes is no sound file, however it is opened")
  func emptyFile() throws {
    let url = folder.file("empty.wav")
    try Data().write(to: url)
    let type = Int(kAudioFileUnsupportedFileTypeError)
    #expect(code { _ = try AVAudioFile(forReading: url) } == type)
    #expect(code { _ = try AVAudioPlayer(contentsOf: url) } == type)
    #expect(code { _ = try AVAudioPlayer(data: Data()) } == type)
  }

  @Test("moves to each frame from the first to the end")
  func positions() throws {
    let url = folder.file("positions.wav")
    let writer = try AVAudioFile(forWriting: url, settings: Self.settings)
    let buffer = try #require(
      AVAudioPCMBuffer(pcmFormat: writer.processingFormat, frameCapacity: 10))
    buffer.frameLength = 10
    try writer.write(from: buffer)
    writer.framePosition = 4
    try writer.write(from: buffer)
    #expect(writer.framePosition == 14 && writer.length == 14)
    writer.close()
    let file = try AVAudioFile(forReading: url)
    for frame in [14, 0, 7] as [AVAudioFramePosition] {
      file.framePosition = frame
      #expect(file.framePosition == frame)
    }
  }
}
