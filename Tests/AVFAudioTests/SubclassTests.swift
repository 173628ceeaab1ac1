// SPDX-License-Identifier: Apache-2.0
import AVFAudio
import Testing

// Programs override members of the classes, and call their initialisers, as on Apple's systems.

private final class ShiftedTime: AVAudioTime, @unchecked Sendable {
  override var sampleRate: Double { 2 * super.sampleRate }
}

private final class LoggedFile: AVAudioFile {
  private(set) var opened = ""
  override init(forReading fileURL: URL) throws {
    try super.init(forReading: fileURL)
    opened = "reading"
  }
  override init(forWriting fileURL: URL, settings: [String: Any]) throws {
    try super.init(forWriting: fileURL, settings: settings)
    opened = "writing"
  }
  override var url: URL { super.url.deletingPathExtension() }
  override var fileFormat: AVAudioFormat { super.fileFormat }
  override var processingFormat: AVAudioFormat { super.processingFormat }
}

private final class LoggedConverter: AVAudioConverter, @unchecked Sendable {
  override var inputFormat: AVAudioFormat { super.outputFormat }
  override var outputFormat: AVAudioFormat { super.inputFormat }
  override var availableEncodeBitRates: [NSNumber]? { [1] }
}

private final class NamedRecorder: AVAudioRecorder, @unchecked Sendable {
  override init(url: URL, format: AVAudioFormat) throws {
    try super.init(url: url, format: format)
  }
  override var url: URL { super.url.appendingPathExtension("part") }
  override var format: AVAudioFormat { super.format }
}

private final class NamedPlayer: AVAudioPlayer {
  override init(contentsOf url: URL) throws { try super.init(contentsOf: url) }
  override init(data: Data) throws { try super.init(data: data) }
}

private final class Equaliser: AVAudioUnitEQ, @unchecked Sendable {
  override init() { super.init() }
  override init(numberOfBands: Int) { super.init(numberOfBands: numberOfBands + 1) }
  override var bands: [AVAudioUnitEQFilterParameters] { super.bands.reversed() }
}

private final class Song: AVAudioEngine, @unchecked Sendable {
  private(set) var connections = 0
  override var musicSequence: MusicSequence? {
    get { super.musicSequence }
    set { super.musicSequence = newValue }
  }
  override func disconnectMIDIInput(_ node: AVAudioNode) {
    connections += 1
    super.disconnectMIDIInput(node)
  }
}

private final class Room: AVAudioEnvironmentNode, @unchecked Sendable {
  override var reverbParameters: AVAudioEnvironmentReverbParameters { super.reverbParameters }
  override var distanceAttenuationParameters: AVAudioEnvironmentDistanceAttenuationParameters {
    super.distanceAttenuationParameters
  }
}

private final class EngineSequencer: AVAudioSequencer, @unchecked Sendable {
  override init(audioEngine engine: AVAudioEngine) { super.init(audioEngine: engine) }
}

private final class Packets: AVAudioCompressedBuffer {
  override init(format: AVAudioFormat, packetCapacity: AVAudioPacketCount) {
    super.init(format: format, packetCapacity: packetCapacity)
  }
  override var packetCapacity: AVAudioPacketCount { super.packetCapacity - 1 }
  override var maximumPacketSize: Int { super.maximumPacketSize }
}

private final class LongNote: AVExtendedNoteOnEvent {
  override init(midiNote: Float, velocity: Float, groupID: UInt32, duration: AVMusicTimeStamp) {
    super.init(
      midiNote: midiNote, velocity: velocity, groupID: groupID, duration: 2 * duration)
  }
}

private final class FullVolume: AVMIDIControlChangeEvent {
  override var messageType: MessageType { .volume }
  override var value: UInt32 { 127 }
}

@Suite("Subclasses of programs")
struct SubclassTests {
  private static let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1)

  @Test("override what a time, a converter, a file and a recorder have")
  func values() throws {
    #expect(ShiftedTime(sampleTime: 3, atRate: 100).sampleRate == 200)
    let format = try #require(Self.format)
    let half = try #require(AVAudioFormat(standardFormatWithSampleRate: 24_000, channels: 1))
    let converter = try #require(LoggedConverter(from: format, to: half))
    #expect(converter.inputFormat == half && converter.outputFormat == format)
    #expect(converter.availableEncodeBitRates == [1])
    let url = FileManager.default.temporaryDirectory
      .appendingPathComponent("subclass-\(UUID().uuidString).wav")
    defer { try? FileManager.default.removeItem(at: url) }
    let writer = try LoggedFile(forWriting: url, settings: format.settings)
    #expect(writer.opened == "writing")
    let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 100))
    buffer.frameLength = 100
    try writer.write(from: buffer)
    writer.close()
    let reader = try LoggedFile(forReading: url)
    #expect(reader.opened == "reading")
    #expect(reader.url.pathExtension == "" && reader.processingFormat == format)
    #expect(reader.length == 100)
    #expect(try NamedRecorder(url: url, format: format).url.pathExtension == "part")
    #expect(try NamedPlayer(contentsOf: url).duration == 100 / 48_000)
    #expect(try NamedPlayer(data: Data(contentsOf: url)).duration == 100 / 48_000)
    var fields = AudioStreamBasicDescription(
      mSampleRate: 8_000, mFormatID: kAudioFormatULaw, mFormatFlags: 0, mBytesPerPacket: 1,
      mFramesPerPacket: 1, mBytesPerFrame: 1, mChannelsPerFrame: 1, mBitsPerChannel: 8, mReserved: 0
    )
    let law = try #require(AVAudioFormat(streamDescription: &fields))
    let packets = Packets(format: law, packetCapacity: 10)
    #expect((packets.packetCapacity, packets.maximumPacketSize) == (9, 1))
  }

  @Test("override what engines, nodes and events have")
  func nodes() throws {
    #expect(Equaliser().bands.count == 1)
    let equaliser = Equaliser(numberOfBands: 1)
    #expect(equaliser.bands.count == 2)
    equaliser.bands[0].gain = 6
    #expect(equaliser.bands.map(\.gain) == [6, 0])
    let song = Song()
    let unit = AVAudioUnitSampler()
    song.attach(unit)
    song.disconnectMIDIInput(unit)
    #expect(song.connections == 1)
    #expect(song.musicSequence == nil)
    #expect(EngineSequencer(audioEngine: song).tracks.isEmpty)
    let room = Room()
    room.reverbParameters.level = -3
    #expect(room.reverbParameters.level == -3)
    room.distanceAttenuationParameters.rolloffFactor = 2
    #expect(room.distanceAttenuationParameters.rolloffFactor == 2)
    #expect(LongNote(midiNote: 60, velocity: 100, groupID: 0, duration: 2).duration == 4)
    let event = FullVolume(channel: 0, messageType: .pan, value: 1)
    #expect(event.messageType == .volume && event.value == 127)
  }
}
