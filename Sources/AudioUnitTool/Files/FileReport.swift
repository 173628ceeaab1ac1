// SPDX-License-Identifier: Apache-2.0
import AudioFiles
import AudioToolbox
import CommandSupport
import SignalProcessing
@_spi(TrappingConversions) import CheckedNumbers

/// The report of `au info FILE` about a sound file: its header and, if requested, what is measured.
struct FileReport: Encodable {
  /// The columns of a waveform.
  private static let columnCount = 256
  private static let pieceFrames = 16_384

  let path: String
  let kind: String
  let format: String
  let sampleRate: Double
  let channels: Int
  let frames: Int
  let seconds: Double
  let bitsPerSecond: Double
  /// Frames that the header declares but the file lacks.
  let missingFrames: Int
  /// Whether the file ends too early, although nothing states how long it was.
  let endsEarly: Bool
  /// Whether the header does not state a length: the file was not closed.
  let isUnclosed: Bool
  /// Frames that are silent, because their packets are damaged or lost.
  let silencedFrames: Int
  /// The kind and the format of a sound file that follows and is not read.
  let follower: String?
  let tags: [String: String]
  let markers: [String]
  /// Loops and other ranges.
  let loops: [String]
  /// The bytes of the picture, and its kind; nil if there is none.
  let picture: String?
  /// What needs all of the sound; nil unless it was measured.
  let measures: Measures?

  /// What is measured of all of the sound.
  struct Measures: Encodable {
    /// EBU R 128, in LUFS and LU; nil if there is too little sound.
    let integratedLoudness: Double?
    let loudnessRange: Double?
    let momentaryMaximum: Double?
    /// In dBFS; nil for silence.
    let truePeak: Double?
    let samplePeak: Double?
    /// The lowest and the highest sample of each column, over all channels.
    let waveform: [[Float]]
  }

  /// Reads the header of a file; with `measures`, all of its sound.
  ///
  /// - Parameters:
  ///   - file: Its path.
  ///   - title: Its name in the report; nil: the path.
  ///   - isMeasured: Whether the sound is measured.
  ///   - show: Gets the share that is measured, 0...1.
  /// - Throws: If it is not a sound file that can be read.
  init(
    _ file: String, title: String? = nil, measures isMeasured: Bool,
    show: (Double) -> Void = { _ in }
  ) throws(Failure) {
    path = title ?? file
    var reader: SoundFileReader
    do { reader = try SoundFileReader(path: file) } catch {
      throw Failure(path, of: file, because: error.explanation)
    }
    let summary = reader.summary
    kind = summary.kind
    format = summary.format
    sampleRate = reader.format.sampleRate
    channels = reader.format.channelCount
    frames = reader.frameCount
    seconds = Double(reader.frameCount) / reader.format.sampleRate
    bitsPerSecond = summary.bitsPerSecond
    missingFrames = max(0, reader.declaredFrameCount - reader.frameCount)
    let condition = SoundFileCondition(of: reader.container)
    endsEarly = condition.endsEarly
    silencedFrames = condition.silencedFrameCount
    follower = condition.follower
    isUnclosed = reader.isUnclosed
    tags = summary.tags
    markers = summary.markers
    let metadata = SoundFileMetadata(of: reader.container)
    loops = metadata.loopTexts(sampleRate: sampleRate)
    picture = metadata.pictureText
    measures = isMeasured ? try Self.measure(&reader, show) : nil
  }

  private static func measure(
    _ file: inout SoundFileReader, _ show: (Double) -> Void
  ) throws(Failure) -> Measures {
    let channels = file.format.channelCount
    let loudness = LoudnessMeter(
      sampleRate: file.format.sampleRate,
      weights: LoudnessMeter.defaultWeights(channelCount: channels))
    let peaks = (0..<channels).map { _ in TruePeakMeter() }
    var waves = Waveform(frameCount: file.frameCount, columnCount: columnCount)
    let memory = PlanarMemory(channelCount: channels, frameCount: pieceFrames)
    while true {
      let count: Int
      do { count = try file.read(into: memory.channels, frameCount: pieceFrames) } catch {
        throw Failure(error.explanation, error.status)
      }
      if count == 0 { break }
      loudness.measure(memory.channels, frameCount: count)
      for channel in 0..<channels {
        peaks[channel].measure(memory.channels[channel], count: count)
      }
      waves.append(memory.channels, channels, count)
      show(Double(file.position) / Double(max(1, file.frameCount)))
    }
    return Measures(
      integratedLoudness: loudness.integrated, loudnessRange: loudness.range,
      momentaryMaximum: loudness.momentaryMaximum, truePeak: peaks.compactMap { $0.finish() }.max(),
      samplePeak: waves.peak > 0 ? Decibels.level(Double(waves.peak)) : nil,
      waveform: waves.columns.map { [$0.lowest, $0.highest] })
  }

  // MARK: Text

  /// A table to read, with the waveform if the sound was measured.
  func text(columns: Int = 64) -> String {
    var table = TextTable()
    table.add("File", path)
    table.add("Kind", kind)
    table.add("Format", format)
    let time = Self.time(seconds)
    table.add("Length", "\(time), \(Numbers.count(frames, "frame"))")
    if missingFrames > 0 {
      let share =
        seconds > 0
        ? Int(saturating: 100 * Double(missingFrames) / Double(frames + missingFrames)) : 100
      table.add(
        "Missing", "\(Numbers.count(missingFrames, "frame")) (\(share) %): cut short")
    }
    if endsEarly, missingFrames == 0 { table.add("Missing", "the end: cut short") }
    if isUnclosed { table.add("Unfinished", "the file was not closed: its header has no length") }
    if silencedFrames > 0 {
      table.add("Damaged", "\(Numbers.count(silencedFrames, "frame")): silent")
    }
    if let follower { table.add("Followed by", "\(follower): not read") }
    table.add("Bit rate", "\(Numbers.rounded(bitsPerSecond / 1_000, digits: 1)) kbit/s")
    for (key, value) in tags.sorted(by: { $0.key < $1.key }) {
      table.add(key.capitalizedFirst, value)
    }
    for marker in markers { table.add("Marker", marker) }
    for loop in loops { table.add("Loop", loop) }
    if let picture { table.add("Picture", picture) }
    guard let measures else { return table.text }
    table.add("Loudness", Self.level(measures.integratedLoudness, "LUFS"))
    table.add("Range", Self.level(measures.loudnessRange, "LU"))
    table.add("Loudest 0.4 s", Self.level(measures.momentaryMaximum, "LUFS"))
    table.add("True peak", Self.level(measures.truePeak, "dBTP"))
    table.add("Sample peak", Self.level(measures.samplePeak, "dBFS"))
    return table.text + "\n" + bars(measures.waveform, columns) + "\n"
  }

  private static func level(_ value: Double?, _ unit: String) -> String {
    value.map { "\(Numbers.rounded($0, digits: 1)) \(unit)" } ?? "none"
  }

  private static func time(_ seconds: Double) -> String {
    let whole = Int(saturating: seconds)
    let rest = Numbers.rounded(seconds - Double(whole / 60 * 60), digits: 3)
    let padded = rest.firstIndex(of: ".").map { rest.distance(from: rest.startIndex, to: $0) } == 1
    return "\(whole / 60):\(padded ? "0" : "")\(rest)"
  }

  /// The largest magnitudes over time, one letter per column.
  private func bars(_ waveform: [[Float]], _ columns: Int) -> String {
    let letters = Array(" ▁▂▃▄▅▆▇█")
    guard !waveform.isEmpty else { return "" }
    return String(
      (0..<columns).map { column in
        let start = column * waveform.count / columns
        let end = max(start + 1, (column + 1) * waveform.count / columns)
        let peak = waveform[start..<end].reduce(Float(0)) { max($0, max(-$1[0], $1[1])) }
        return letters[min(letters.count - 1, Int(saturating: (min(1, peak) * 8).rounded(.up)))]
      })
  }

  /// The waveform as a picture; without a wave if the sound was not measured.
  var svg: String {
    let waveform = measures?.waveform ?? []
    let (width, height) = (1_024.0, 200.0)
    let step = width / Double(max(1, waveform.count))
    var upper = ""
    var lower = ""
    for (index, column) in waveform.enumerated() {
      let x = Numbers.rounded((Double(index) + 0.5) * step, digits: 1)
      func y(_ value: Float) -> String {
        let place = height / 2 * (1 - Double(max(-1, min(1, value))))
        return Numbers.rounded(place, digits: 1)
      }
      upper += " \(x),\(y(column[1]))"
      lower = " \(x),\(y(column[0]))" + lower
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(Int(saturating: width)) \(Int(saturating: height))">
      <style>polygon{fill:#1f77b4}line{stroke:#888;stroke-width:.5}\
      @media(prefers-color-scheme:dark){polygon{fill:#7fb8e8}}</style>
      <line x1="0" y1="100" x2="1024" y2="100"/>
      <polygon points="\((upper + lower).dropFirst())"/>
      </svg>

      """
  }
}

extension Failure {
  /// Prints a line for a file that is not complete.
  static func warn(of condition: SoundFileCondition?, in path: String) {
    if let warning = condition?.warning { Console.error("\(path): \(warning)") }
  }

  /// Prints a line for an open file if it is not complete.
  static func warn(ofFile file: AudioFileID, in path: String) {
    warn(of: SoundFileCondition(of: file), in: path)
  }
}

extension String {
  /// The same text with an upper-case first letter.
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension SoundFileMetadata {
  /// The ranges of the file, in words: "1.5 s to 3.25 s chorus".
  fileprivate func loopTexts(sampleRate: Double) -> [String] {
    func time(_ frame: Double) -> String { "\(Numbers.short(frame / sampleRate, digits: 3)) s" }
    return regions.map { region in
      let frames = region.markers.map(\.frame)
      let range = "\(time(frames.min() ?? 0)) to \(time(frames.max() ?? 0))"
      return region.name.isEmpty ? range : "\(range) \(region.name)"
    }
  }

  /// The kind and the size of the picture; nil if there is none.
  fileprivate var pictureText: String? {
    artwork.map { bytes in
      let kind =
        bytes.starts(with: [0x89, 0x50, 0x4E, 0x47])
        ? "PNG" : bytes.starts(with: [0xFF, 0xD8]) ? "JPEG" : "unknown kind"
      return "\(kind), \(Numbers.count(bytes.count, "byte"))"
    }
  }
}

/// The lowest and the highest sample of each column.
private struct Waveform {
  struct Column {
    var lowest: Float = 0
    var highest: Float = 0
  }

  private(set) var columns: [Column]
  private(set) var peak: Float = 0
  private let frameCount: Int
  private var position = 0

  init(frameCount: Int, columnCount: Int) {
    self.frameCount = frameCount
    columns = [Column](repeating: Column(), count: min(columnCount, frameCount))
  }

  mutating func append(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, _ channelCount: Int, _ count: Int
  ) {
    var done = 0
    while done < count, position < frameCount {
      let column = position * columns.count / frameCount
      let end = ((column + 1) * frameCount + columns.count - 1) / columns.count
      let part = min(count - done, max(1, end - position))
      for channel in 0..<channelCount {
        var (low, high) = (columns[column].lowest, columns[column].highest)
        for frame in done..<done + part {
          let sample = channels[channel][frame]
          if sample < low { low = sample }
          if sample > high { high = sample }
        }
        columns[column] = Column(lowest: low, highest: high)
        peak = max(peak, max(-low, high))
      }
      done += part
      position += part
    }
  }
}

/// Memory for a planar buffer of several channels.
final class PlanarMemory {
  let channels: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let memory = OwnedMemory()

  init(channelCount: Int, frameCount: Int) {
    let memory = memory
    channels = memory.array(
      (0..<channelCount).map { _ in memory.room(frameCount, for: Float.self) })
  }

  deinit { memory.deallocate() }
}
