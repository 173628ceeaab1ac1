// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox
@_spi(TrappingConversions) import CheckedNumbers

/// The metadata of a sound file, to be copied to another file.
package struct SoundFileMetadata: Sendable {
  /// Texts, under the keys of the info dictionary.
  package var info: [String: String] = [:]
  package var artwork: [UInt8]?
  package var markers: [Marker] = []
  package var regions: [Region] = []
  /// The key and the ranges of a sample of an instrument.
  package var instrument: InstrumentInfo?
  /// What broadcasters store, as it is in the file; other WAV files and their relatives keep it.
  private var broadcast: [ChunkCode: [UInt8]] = [:]
  private var isBroadcastBigEndian = false
  private static let broadcastCodes: [ChunkCode] = ["bext", "iXML", "cart", "axml", "chna"]
  /// An AudioChannelLayout.
  package var layout: [UInt8]?

  package init() {}

  /// [control thread] The metadata of an open file; damaged parts are skipped.
  package init(of handle: AudioFileID) {
    self.init()
    guard let entered = AudioFileObject.handles.enter(handle) else { return }
    defer { AudioFileObject.handles.leave(handle) }
    self = .init(of: entered.takeUnretainedValue().container)
  }

  /// [control thread] The metadata of a file; damaged parts are skipped.
  package init(of file: Container) {
    info = (try? file.info) ?? [:]
    // Values that depend on the file or its writer are not copied to another.
    for key in ["approximate duration in seconds", "encoding application", "source encoder"] {
      info[key] = nil
    }
    artwork = (try? file.artwork) ?? nil
    markers = (try? file.markers) ?? []
    regions = (try? file.regions) ?? []
    instrument = InstrumentInfo(file)
    for code in file is WaveContainer ? Self.broadcastCodes : [] {
      guard let size = try? file.chunkByteCount(code, 0), size <= Limits.chunkBytes else {
        continue
      }
      broadcast[code] = try? file.chunk(code, 0, 0..<size)
    }
    isBroadcastBigEndian = (file as? ChunkedContainer)?.dialect.isBigEndian ?? false
    layout = file.layout
  }

  /// Removes what describes channels that the new file does not have.
  package mutating func dropChannels() {
    layout = nil
    for code in ["chna", "axml"] as [ChunkCode] { broadcast[code] = nil }
  }

  /// Moves all markers and regions for a file with only a part of the sound, or another rate.
  ///
  /// - Parameters:
  ///   - frames: The frames that are kept; markers outside them are dropped.
  ///   - ratio: Frames of the new file per old frame.
  package mutating func move(to frames: Range<Double>, ratio: Double) {
    func moved(_ markers: [Marker]) -> [Marker] {
      markers.compactMap { marker in
        guard frames.contains(marker.frame) || marker.frame == frames.upperBound else { return nil }
        var marker = marker
        marker.frame = ((marker.frame - frames.lowerBound) * ratio).rounded()
        return marker
      }
    }
    moveBroadcast(by: frames.lowerBound, ratio: ratio)
    markers = moved(markers)
    regions = regions.compactMap { region in
      var moving = region
      moving.markers = moved(region.markers)
      return moving.markers.count == region.markers.count ? moving : nil
    }
  }

  /// Moves the time at which the sound begins, in frames since midnight (EBU Tech 3285: 8 bytes of
  /// `bext`), and drops the texts that contain it, too.
  private mutating func moveBroadcast(by start: Double, ratio: Double) {
    guard start != 0 || ratio != 1 else { return }
    broadcast["iXML"] = nil
    guard let old = broadcast["bext"], old.count >= 346 else { return }
    let time = ByteFields(old, isBigEndian: isBroadcastBigEndian).uint64(338)
    var builder = ByteBuilder(isBigEndian: isBroadcastBigEndian)
    builder.number(UInt64(saturating: ((Double(time) + start) * ratio).rounded()))
    broadcast["bext"]?.replace(at: 338, builder.bytes)
  }

  /// [control thread] Writes the metadata to a new file; drops what its kind cannot store.
  func write(to file: Container) throws(AudioError) {
    try Self.writeIfSupported(info.isEmpty) { () throws(AudioError) in try file.setInfo(info) }
    try Self.writeIfSupported(artwork == nil) { () throws(AudioError) in
      try file.setArtwork(artwork ?? [])
    }
    try Self.writeIfSupported(markers.isEmpty) { () throws(AudioError) in
      try file.setMarkers(markers)
    }
    try instrument?.write(to: file)
    for (code, bytes) in broadcast.sorted(by: { $0.key.rawValue < $1.key.rawValue })
    where (file as? WaveContainer)?.dialect.isBigEndian == isBroadcastBigEndian {
      try file.setChunk(code, 0, bytes)
    }
    try Self.writeIfSupported(regions.isEmpty) { () throws(AudioError) in
      try file.setRegions(regions)
    }
    try writeLayout(to: file)
  }

  /// Writes the layout. Where a kind of file has an order of its own, it is that of the same channels in
  /// this order, into which the writer of the sound brings them.
  private func writeLayout(to file: Container) throws(AudioError) {
    guard let layout else { return }
    do throws(AudioError) { try file.setLayout(layout) } catch {
      let statuses = [
        kAudioFileUnsupportedDataFormatError, kAudioFileOperationNotSupportedError,
      ]
      guard statuses.contains(error.status) else { throw error }
      // Channels without a place in the file's order have none in the file either.
      guard let ordered = WaveLayout.ordered(layout) else { return }
      try Self.writeIfSupported(false) { () throws(AudioError) in try file.setLayout(ordered) }
    }
  }

  private static func writeIfSupported(
    _ isEmpty: Bool, _ body: () throws(AudioError) -> Void
  ) throws(AudioError) {
    guard !isEmpty else { return }
    do throws(AudioError) { try body() } catch {
      guard error.status == kAudioFileOperationNotSupportedError else { throw error }
    }
  }
}
