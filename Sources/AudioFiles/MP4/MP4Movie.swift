// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// Builds the movie box of a new file with one audio track.
struct MP4Movie {
  private let file: Container
  private let format: AudioStreamBasicDescription
  private let trackID: UInt32
  private let description: [UInt8]

  init(_ file: Container, trackID: UInt32) throws(AudioError) {
    self.file = file
    self.trackID = trackID
    format = file.format
    description = try Self.entry(file)
  }

  /// Time units of the file per frame; Opus always counts at 48 kHz.
  static func unitsPerFrame(_ format: AudioStreamBasicDescription) -> Double {
    format.mFormatID == kAudioFormatOpus ? 48_000 / format.mSampleRate : 1
  }

  /// The time units of some frames.
  static func units(_ frames: Int, _ format: AudioStreamBasicDescription) -> Int {
    Int(saturating: (Double(frames) * unitsPerFrame(format)).rounded())
  }

  /// Throws when a packet's duration does not fit the tables, which count time units in 32 bits.
  static func checkDuration(_ frames: Int, _ file: Container) throws(AudioError) {
    guard units(frames, file.format) <= UInt32.max else {
      throw .unsupportedDataFormat.because(
        "\(file.store.name): \(StreamFormat.describe(file.format)): a packet of \(frames) frames is "
          + "too long for \(file.kind.name)")
    }
  }

  private var timescale: UInt32 {
    UInt32(saturating: (format.mSampleRate * Self.unitsPerFrame(format)).rounded())
  }

  private func units(_ frames: Int) -> Int { Self.units(frames, format) }

  // MARK: Boxes

  /// The movie box of a file whose packets are in fragments.
  var fragmented: [UInt8] {
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("moov") { movie in
      header(&movie, duration: 0)
      track(&movie, duration: 0, edit: nil) { table in
        for type in ["stts", "stsc", "stco"] as [ChunkCode] {
          table.fullBox(type) { $0.zeros(4) }
        }
        table.fullBox("stsz") { $0.zeros(8) }
      }
      movie.box("mvex") { extends in
        extends.fullBox("trex") { values in
          values.number(trackID)
          values.number(UInt32(1))
          values.zeros(12)
        }
      }
    }
    return builder.bytes
  }

  /// The movie box of a complete file, whose packets are in chunks, with its metadata.
  func whole(
    _ chunks: [(offset: Int, first: Int)], _ contents: MP4Metadata.Contents
  ) -> [UInt8] {
    let packets = file.packets ?? PacketTable(framesPerPacket: 0)
    let all = units(packets.frameCount)
    let info = file.packetInfo?.limited(to: packets.frameCount)
    let priming = units(info?.primingFrames ?? 0)
    let length = info.map { min(units($0.validFrames), max(0, all - priming)) } ?? all
    // If the sound ends in the last packet, that is as long as the sound in it.
    let last = packets.count > 0 ? units(packets.frames(packets.count - 1)) : 0
    let cut = min(max(0, all - priming - length), max(0, last - 1))
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("moov") { movie in
      header(&movie, duration: length)
      let edit = priming > 0 || length < all ? (length, priming) : nil
      track(&movie, duration: all - cut, edit: edit) { table in
        durations(&table, packets, cut)
        positions(&table, packets, chunks)
      }
      movie.append(
        MP4Metadata.box(contents, others: gapless(info, packets).map { [$0] } ?? []))
    }
    return builder.bytes
  }

  private func header(_ movie: inout ByteBuilder, duration: Int) {
    movie.fullBox("mvhd", version: 1) { head in
      head.zeros(16)
      head.number(timescale)
      head.number(UInt64(clamping: duration))
      head.number(UInt32(0x1_0000))
      head.number(UInt16(0x100))
      head.zeros(10)
      Self.matrix(&head)
      head.zeros(24)
      head.number(trackID + 1)
    }
  }

  private static func matrix(_ head: inout ByteBuilder) {
    for value in [0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000] as [UInt32] {
      head.number(value)
    }
  }

  private func track(
    _ movie: inout ByteBuilder, duration: Int, edit: (length: Int, start: Int)?,
    _ table: (inout ByteBuilder) -> Void
  ) {
    movie.box("trak") { track in
      // Flags: enabled, in movie, in preview.
      track.fullBox("tkhd", version: 1, flags: 7) { head in
        head.zeros(16)
        head.number(trackID)
        head.zeros(4)
        head.number(UInt64(clamping: edit?.length ?? duration))
        head.zeros(8)
        head.zeros(4)
        head.number(UInt16(0x100))
        head.zeros(2)
        Self.matrix(&head)
        head.zeros(8)
      }
      if let edit {
        track.box("edts") { edits in
          edits.fullBox("elst", version: 1) { list in
            list.number(UInt32(1))
            list.number(UInt64(clamping: edit.length))
            list.number(Int64(edit.start))
            list.number(UInt32(0x1_0000))
          }
        }
      }
      track.box("mdia") { media in
        media.fullBox("mdhd", version: 1) { head in
          head.zeros(16)
          head.number(timescale)
          head.number(UInt64(clamping: duration))
          head.number(UInt16(0x55C4))
          head.zeros(2)
        }
        media.fullBox("hdlr") { handler in
          handler.zeros(4)
          handler.code("soun")
          handler.zeros(13)
        }
        media.box("minf") { information in
          information.fullBox("smhd") { $0.zeros(4) }
          information.box("dinf") { data in
            data.fullBox("dref") { references in
              references.number(UInt32(1))
              references.fullBox("url ", flags: 1)
            }
          }
          information.box("stbl") { samples in
            samples.fullBox("stsd") { list in
              list.number(UInt32(1))
              list.append(description)
            }
            table(&samples)
          }
        }
      }
    }
  }

  // MARK: Tables

  /// Appends the durations of packets, as runs of equal ones.
  private func durations(_ table: inout ByteBuilder, _ packets: PacketTable, _ cut: Int) {
    var runs: [(count: Int, units: Int)] = []
    for index in 0..<packets.count {
      let isLast = index == packets.count - 1
      let length = units(packets.frames(index)) - (isLast ? cut : 0)
      if runs.last?.units == length {
        runs[runs.count - 1].count += 1
      } else {
        runs.append((1, length))
      }
    }
    table.fullBox("stts") { box in
      box.number(UInt32(clamping: runs.count))
      for run in runs {
        box.number(UInt32(clamping: run.count))
        box.number(UInt32(clamping: run.units))
      }
    }
  }

  /// Appends the positions and sizes of packets.
  private func positions(
    _ table: inout ByteBuilder, _ packets: PacketTable, _ chunks: [(offset: Int, first: Int)]
  ) {
    table.fullBox("stsc") { box in
      var runs: [(chunk: Int, count: Int)] = []
      for index in chunks.indices {
        let next = index + 1 < chunks.count ? chunks[index + 1].first : packets.count
        let count = next - chunks[index].first
        if runs.last?.count != count { runs.append((index + 1, count)) }
      }
      box.number(UInt32(clamping: runs.count))
      for run in runs {
        box.number(UInt32(clamping: run.chunk))
        box.number(UInt32(clamping: run.count))
        box.number(UInt32(1))
      }
    }
    table.fullBox("stsz") { box in
      box.number(UInt32(0))
      box.number(UInt32(clamping: packets.count))
      for index in 0..<packets.count { box.number(UInt32(clamping: packets.size(index))) }
    }
    let isLong = chunks.last.map { $0.offset > Int(UInt32.max) / 2 } ?? false
    table.fullBox(isLong ? "co64" : "stco") { box in
      box.number(UInt32(clamping: chunks.count))
      for chunk in chunks {
        if isLong {
          box.number(UInt64(clamping: chunk.offset))
        } else {
          box.number(UInt32(clamping: chunk.offset))
        }
      }
    }
  }

  /// The iTunes tag with the codec's priming and padding frames.
  private func gapless(_ info: Container.PacketInfo?, _ packets: PacketTable) -> [UInt8]? {
    guard let info, format.mFormatID == kAudioFormatMPEG4AAC else { return nil }
    func word(_ value: Int, _ digits: Int = 8) -> String {
      let text = String(max(0, value), radix: 16, uppercase: true)
      return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
    let words =
      [
        word(0), word(info.primingFrames), word(info.remainderFrames), word(info.validFrames, 16),
      ]
      + (0..<8).map { _ in word(0) }
    var builder = ByteBuilder(isBigEndian: true)
    builder.box("----") { item in
      item.fullBox("mean") { $0.append("com.apple.iTunes".utf8) }
      item.fullBox("name") { $0.append("iTunSMPB".utf8) }
      item.box("data") { data in
        data.number(UInt32(1))
        data.zeros(4)
        data.append(words.map { " \($0)" }.joined().utf8)
      }
    }
    return builder.bytes
  }

  // MARK: Sample description

  private static func entry(_ file: Container) throws(AudioError) -> [UInt8] {
    let format = file.format
    let type: ChunkCode =
      switch format.mFormatID {
      case kAudioFormatAppleLossless: "alac"
      case kAudioFormatFLAC: "fLaC"
      case kAudioFormatOpus: "Opus"
      default: "mp4a"
      }
    let box = try configuration(file)
    var builder = ByteBuilder(isBigEndian: true)
    builder.box(type) { entry in
      entry.zeros(6)
      entry.number(UInt16(1))
      entry.zeros(8)
      entry.number(UInt16(clamping: format.mChannelsPerFrame))
      entry.number(UInt16(clamping: CompressedFormat.losslessBits(format)))
      entry.zeros(4)
      let rate = format.mFormatID == kAudioFormatOpus ? 48_000 : format.mSampleRate
      entry.number(rate < 65_536 ? UInt32(saturating: rate) << 16 : 0)
      entry.append(box)
    }
    return builder.bytes
  }

  /// The magic cookie, in the form used in files.
  private static func configuration(_ file: Container) throws(AudioError) -> [UInt8] {
    let (format, cookie) = (file.format, file.cookie)
    var builder = ByteBuilder(isBigEndian: true)
    func needed() -> AudioError {
      .fileOperationNotSupported.because(
        "\(file.store.name): kAudioFilePropertyMagicCookieData must be set before the first packet "
          + "of \(StreamFormat.describe(format))")
    }
    switch format.mFormatID {
    case kAudioFormatAppleLossless:
      guard let config = MagicCookies.losslessConfig(cookie) else { throw needed() }
      builder.fullBox("alac") { $0.append(config) }
    case kAudioFormatFLAC:
      guard let information = MagicCookies.streamInformation(cookie) else { throw needed() }
      builder.fullBox("dfLa") { box in
        box.number(UInt32(0x8000_0022))
        box.append(information)
      }
    case kAudioFormatOpus:
      guard let head = MagicCookies.opusHead(cookie), head.count >= 19 else { throw needed() }
      builder.box("dOps") { box in
        box.append([0, head[9], head[11], head[10]])
        box.append(head[12..<16].reversed())
        box.append([head[17], head[16]])
        box.append(head[18...])
      }
    case kAudioFormatMPEGLayer3:
      var stream = MagicCookies.elementaryStream([], bitRate: 0)
      if let position = stream.firstIndex(of: 0x40) { stream[position] = 0x6B }
      builder.fullBox("esds") { $0.append(stream) }
    default:
      let config = cookie.isEmpty ? plainConfiguration(format) : cookie
      guard let config else { throw needed() }
      let isDescriptor = config.first == 3
      builder.fullBox("esds") {
        $0.append(
          isDescriptor ? config : MagicCookies.elementaryStream(config, bitRate: 0))
      }
    }
    return builder.bytes
  }

  /// The configuration of plain AAC without extensions.
  private static func plainConfiguration(_ format: AudioStreamBasicDescription) -> [UInt8]? {
    guard format.mFormatID == kAudioFormatMPEG4AAC,
      let rate = ADTSFrame.sampleRates.firstIndex(of: Int(saturating: format.mSampleRate)),
      format.mChannelsPerFrame <= 8
    else { return nil }
    let channels = format.mChannelsPerFrame == 8 ? 7 : Int(format.mChannelsPerFrame)
    let word = 2 << 11 | rate << 7 | channels << 3
    return [UInt8(truncatingIfNeeded: word >> 8), UInt8(truncatingIfNeeded: word & 0xFF)]
  }
}
