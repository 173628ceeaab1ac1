// SPDX-License-Identifier: Apache-2.0
import AudioToolbox
import Foundation

/// Reading and writing sound files as interleaved Float32, compared with libsndfile, sox and
/// ffmpeg.
enum FileBenchmark {
  private static let channels = 2
  private static let rate = 48_000.0
  private static let seconds = 20
  private static let frames = 4_096

  /// A file type with a data format.
  private struct Kind: Sendable {
    let name: String
    let ending: String
    let type: AudioFileTypeID
    let format: AudioFormatID
    /// For linear PCM, the bits, negative for floating point; for lossless formats, their flags.
    let bits: Int
    var target: Double?
    /// The format in libsndfile's numbers; nil where it cannot write it.
    var soundLibraryFormat: Int32?

    var description: AudioStreamBasicDescription {
      var made = AudioStreamBasicDescription()
      made.mSampleRate = rate
      made.mFormatID = format
      made.mChannelsPerFrame = UInt32(channels)
      guard format == kAudioFormatLinearPCM else {
        made.mFormatFlags = UInt32(bits)
        return made
      }
      made.mBitsPerChannel = UInt32(abs(bits))
      made.mBytesPerFrame = UInt32(abs(bits) / 8 * channels)
      made.mBytesPerPacket = made.mBytesPerFrame
      made.mFramesPerPacket = 1
      made.mFormatFlags =
        kAudioFormatFlagIsPacked
        | (bits < 0 ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger)
      return made
    }
  }

  private static let kinds: [Kind] = [
    Kind(
      name: "WAV, 16 bits", ending: "wav", type: kAudioFileWAVEType, format: kAudioFormatLinearPCM,
      bits: 16, target: 0.25, soundLibraryFormat: 0x01_0002),
    Kind(
      name: "WAV, 24 bits", ending: "wav", type: kAudioFileWAVEType, format: kAudioFormatLinearPCM,
      bits: 24, target: 0.25, soundLibraryFormat: 0x01_0003),
    Kind(
      name: "WAV, Float32", ending: "wav", type: kAudioFileWAVEType, format: kAudioFormatLinearPCM,
      bits: -32, target: 0.25, soundLibraryFormat: 0x01_0006),
    Kind(
      name: "FLAC, 16 bits", ending: "flac", type: kAudioFileFLACType, format: kAudioFormatFLAC,
      bits: 1, soundLibraryFormat: 0x17_0002),
    Kind(
      name: "AAC in M4A", ending: "m4a", type: kAudioFileM4AType, format: kAudioFormatMPEG4AAC,
      bits: 0),
    Kind(
      name: "Opus in Ogg", ending: "opus", type: kAudioFileOggType, format: kAudioFormatOpus,
      bits: 0, soundLibraryFormat: 0x20_0064),
    Kind(
      name: "MP3", ending: "mp3", type: kAudioFileMP3Type, format: kAudioFormatMPEGLayer3, bits: 0,
      soundLibraryFormat: 0x23_0082),
  ]

  static func run(in folder: URL) {
    for (index, kind) in kinds.enumerated() {
      Report.title("\(kind.name), 48 kHz, two channels (ns per sample)")
      let file = folder.appendingPathComponent("bench\(index).\(kind.ending)")
      guard let written = write(kind, to: file, seconds: seconds) else {
        Report.note("not written here: the library of its codec is missing")
        continue
      }
      let ours = read(file)
      Report.own("read", ours, "ns", target: kind.target)
      Report.peer("libsndfile reads", SoundLibrary.shared?.read(file), "ns", ours: ours)
      for peer in peers(kind, index) {
        Report.peer(peer.name, peer.nanosecondsPerSample(in: folder), "ns", ours: ours)
      }
      Report.own("write", written, "ns")
      let other = folder.appendingPathComponent("bench\(index)-peer.\(kind.ending)")
      let theirs = kind.soundLibraryFormat.flatMap { format in
        SoundLibrary.shared?.write(other, format, samples, seconds: seconds)
      }
      Report.peer("libsndfile writes", theirs, "ns", ours: written)
    }
  }

  /// Programs that read a file of some length and discard its contents.
  private static func peers(_ kind: Kind, _ index: Int) -> [Peer] {
    @Sendable func path(_ seconds: Int, _ folder: URL) -> String {
      let file = folder.appendingPathComponent("bench\(index)-\(seconds).\(kind.ending)")
      if !FileManager.default.fileExists(atPath: file.path) {
        _ = write(kind, to: file, seconds: seconds)
      }
      return file.path
    }
    let samples = rate * Double(channels)
    return [
      Peer(
        name: "ffmpeg reads",
        command: { seconds, folder in
          [
            "ffmpeg", "-v", "error", "-nostdin", "-threads", "1", "-i", path(seconds, folder),
            "-c:a", "pcm_f32le", "-f", "null", "-",
          ]
        }, samplesPerSecond: samples),
      Peer(
        name: "sox reads",
        command: { seconds, folder in ["sox", path(seconds, folder), "-n"] },
        samplesPerSecond: samples),
    ]
  }

  private static let client = AudioStreamBasicDescription(
    mSampleRate: rate, mFormatID: kAudioFormatLinearPCM,
    mFormatFlags: kAudioFormatFlagsNativeFloatPacked, mBytesPerPacket: UInt32(4 * channels),
    mFramesPerPacket: 1, mBytesPerFrame: UInt32(4 * channels), mChannelsPerFrame: UInt32(channels),
    mBitsPerChannel: 32, mReserved: 0)

  private static func setClient(_ file: ExtAudioFileRef) {
    var format = client
    ExtAudioFileSetProperty(file, kExtAudioFileProperty_ClientDataFormat, 40, &format)
  }

  /// What is written again and again: a tone with some noise.
  private static let samples: [Float] = {
    var noise: UInt32 = 1
    return (0..<frames * channels).map { index in
      noise = noise &* 1_664_525 &+ 1_013_904_223
      let tone = 0.4 * sin(2 * Double.pi * 440 * Double(index / channels) / rate)
      return Float(tone + Double(noise >> 16) / 65_536 * 0.01)
    }
  }()

  /// Nanoseconds per sample for writing a file; nil if that fails.
  private static func write(_ kind: Kind, to url: URL, seconds: Int) -> Double? {
    var format = kind.description
    var made: ExtAudioFileRef?
    guard
      ExtAudioFileCreateWithURL(url as CFURL, kind.type, &format, nil, 1, &made) == noErr,
      let file = made
    else { return nil }
    setClient(file)
    var samples = samples
    var left = seconds * Int(rate)
    let start = Stopwatch.now
    while left > 0 {
      let count = min(left, frames)
      samples.withUnsafeMutableBytes { bytes in
        var list = AudioBufferList(
          mNumberBuffers: 1,
          mBuffers: AudioBuffer(
            mNumberChannels: UInt32(channels), mDataByteSize: UInt32(count * 4 * channels),
            mData: bytes.baseAddress))
        _ = ExtAudioFileWrite(file, UInt32(count), &list)
      }
      left -= count
    }
    guard ExtAudioFileDispose(file) == noErr else { return nil }
    return (Stopwatch.now - start) / (Double(seconds) * rate * Double(channels))
  }

  private static func read(_ url: URL) -> Double {
    var samples = [Float](repeating: 0, count: frames * channels)
    var total = 0
    let time = Stopwatch.nanoseconds {
      var opened: ExtAudioFileRef?
      guard ExtAudioFileOpenURL(url as CFURL, &opened) == noErr, let file = opened else { return }
      setClient(file)
      total = 0
      samples.withUnsafeMutableBytes { bytes in
        while true {
          var list = AudioBufferList(
            mNumberBuffers: 1,
            mBuffers: AudioBuffer(
              mNumberChannels: UInt32(channels), mDataByteSize: UInt32(bytes.count),
              mData: bytes.baseAddress))
          var count = UInt32(frames)
          guard ExtAudioFileRead(file, &count, &list) == noErr, count > 0 else { break }
          total += Int(count)
        }
      }
      ExtAudioFileDispose(file)
    }
    return time / Double(max(1, total * channels))
  }

  /// libsndfile, if it is installed.
  private struct SoundLibrary {
    private typealias Open =
      @convention(c) (UnsafePointer<CChar>, Int32, UnsafeMutableRawPointer) -> OpaquePointer?
    private typealias Read =
      @convention(c) (OpaquePointer, UnsafeMutablePointer<Float>, Int64) -> Int64
    private typealias Close = @convention(c) (OpaquePointer) -> Int32

    private let open: Open
    private let read: Read
    private let write: Read
    private let close: Close

    static let shared = SoundLibrary()

    private init?() {
      guard let library = dlopen("libsndfile.so.1", RTLD_NOW), let open = dlsym(library, "sf_open"),
        let read = dlsym(library, "sf_readf_float"), let write = dlsym(library, "sf_writef_float"),
        let close = dlsym(library, "sf_close")
      else { return nil }
      self.open = unsafeBitCast(open, to: Open.self)
      self.read = unsafeBitCast(read, to: Read.self)
      self.write = unsafeBitCast(write, to: Read.self)
      self.close = unsafeBitCast(close, to: Close.self)
    }

    /// Nanoseconds per sample for writing a file; nil if it cannot.
    func write(_ url: URL, _ format: Int32, _ samples: [Float], seconds: Int) -> Double? {
      var samples = samples
      let info = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)
      defer { info.deallocate() }
      info.initializeMemory(as: UInt8.self, repeating: 0, count: 32)
      for (offset, value) in [(8, Int32(rate)), (12, Int32(channels)), (16, format)] {
        info.storeBytes(of: value, toByteOffset: offset, as: Int32.self)
      }
      let start = Stopwatch.now
      guard let file = open(url.path, 0x20, info) else { return nil }
      var left = seconds * Int(rate)
      while left > 0 {
        let count = min(left, frames)
        guard write(file, &samples, Int64(count)) == Int64(count) else { break }
        left -= count
      }
      _ = close(file)
      let time = Stopwatch.now - start
      return left > 0 ? nil : time / (Double(seconds) * rate * Double(channels))
    }

    /// Nanoseconds per sample; nil if it cannot read the file.
    func read(_ url: URL) -> Double? {
      var samples = [Float](repeating: 0, count: frames * channels)
      // SF_INFO: frames, and five numbers.
      let info = UnsafeMutableRawPointer.allocate(byteCount: 32, alignment: 8)
      defer { info.deallocate() }
      var total = 0
      let time = Stopwatch.nanoseconds {
        info.initializeMemory(as: UInt8.self, repeating: 0, count: 32)
        guard let file = open(url.path, 0x10, info) else { return }
        total = 0
        while case let count = read(file, &samples, Int64(frames)), count > 0 {
          total += Int(count)
        }
        _ = close(file)
      }
      return total > 0 ? time / Double(total * channels) : nil
    }
  }
}
