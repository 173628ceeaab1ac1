// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import CAudioToolbox

/// Finds the packets of consecutive Ogg streams of the same format, such as the songs of a radio
/// station.
struct OggChain: PacketScanner {
  /// The headers of the streams so far, and where each begins.
  private var links: [(start: Int, header: OggContainer)]
  /// The stream of the next packet.
  private var current = 0
  private var scanner: OggScanner
  private var timeline: OggTimeline
  /// The stream whose header has not been taken yet.
  private var announced: Int?
  /// Whether something else follows the last stream.
  private var hasEnded = false

  init(_ first: OggContainer) {
    links = [(0, first)]
    scanner = first.afterHeaders
    timeline = OggTimeline(first.format.mFormatID)
  }

  var position: Int { scanner.endOfStream ?? scanner.position }

  mutating func next(_ window: ByteWindow) throws(AudioError) -> FoundPacket? {
    while let found = try scanner.next(window) {
      if let sound = timeline.sound(of: found, scanner) { return sound }
    }
    guard let end = scanner.endOfStream, !hasEnded else { return nil }
    if current + 1 == links.count {
      guard links.count < Limits.oggStreams, let header = try header(at: end, window) else {
        hasEnded = true
        return nil
      }
      links.append((end, header))
    }
    begin(current + 1)
    return nil
  }

  /// The header at a position; nil where something else begins.
  private func header(at position: Int, _ window: ByteWindow) throws(AudioError) -> OggContainer? {
    guard try window.reaches(position + 1) else { return nil }
    guard window.isRepetitionDue(from: position) else { throw .dataUnavailable }
    do throws(AudioError) {
      return try links[0].header.next(at: position, window)
    } catch {
      guard error.status != kAudioFileStreamError_DataUnavailable else { throw error }
      return nil
    }
  }

  private mutating func begin(_ link: Int) {
    current = link
    scanner = links[link].header.afterHeaders
    timeline = OggTimeline(links[link].header.format.mFormatID)
    announced = link
  }

  mutating func takeHeader() -> Container? {
    defer { announced = nil }
    return announced.map { links[$0].header }
  }

  mutating func restart(at position: Int) {
    let link = links.lastIndex { $0.start <= position } ?? 0
    if link != current { begin(link) }
    hasEnded = false
    scanner.restart(at: position)
    let header = links[link].header
    timeline = OggTimeline(header.format.mFormatID, isAtStart: position == header.dataOffset)
  }
}
