// SPDX-License-Identifier: Apache-2.0
import AudioCodecs
import AudioSupport
import CAudioToolbox

/// Counts the frames of an Ogg stream whose packets arrive, to find where its sound ends: the last page
/// states a position, which may be before the end of its packets. Only with that page is it known.
struct OggTimeline {
  private let format: AudioFormatID
  /// Frames of the packets so far; nil after a jump into the middle.
  private var count: Int?
  /// The position before the first packet; nil until its page has ended.
  private var start: Int?

  init(_ format: AudioFormatID, isAtStart: Bool = true) {
    self.format = format
    // The header of FLAC states the number of frames, if anything does.
    count = isAtStart && format != kAudioFormatFLAC ? 0 : nil
  }

  /// The next packet with as many frames as are sound; nil when none are.
  mutating func sound(of packet: FoundPacket, _ scanner: OggScanner) -> FoundPacket? {
    guard let before = count, let page = scanner.lastPage else { return packet }
    count = before + packet.frames
    let granule = Int(clamping: min(page.granule, 1 << 50))
    guard granule >= 0 else { return packet }
    if start == nil, scanner.isLastOfPage {
      start = page.isLast ? 0 : granule - before - packet.frames
    }
    guard page.isLast, packet.frames > 0 else { return packet }
    // If the first page of Vorbis has fewer frames than its packets, the surplus is at the beginning.
    let first = start ?? 0
    let end = granule - (format == CompressedFormat.vorbis ? first : max(0, first))
    guard end > before else { return nil }
    var sound = packet
    sound.frames = min(packet.frames, end - before)
    return sound
  }
}
