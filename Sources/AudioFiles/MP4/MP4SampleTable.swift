// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// The table of a track's samples: their chunks, sizes and durations (ISO 14496-12, 8.6 and 8.7).
struct MP4SampleTable {
  private let fields: ByteFields
  private let box: Range<Int>

  /// The table in the contents of a box 'stbl'.
  init(_ fields: ByteFields, _ box: Range<Int>) {
    self.fields = fields
    self.box = box
  }

  /// Sizes of samples: one for all, or a table.
  var sizes: SampleSizes { SampleSizes(fields, box) }

  /// Runs of samples of one duration: their number, and time units of each.
  var durations: MP4Table { MP4Table(fields, fields.box(box, "stts"), entryBytes: 8) }

  /// Calls `body` with the position and the number of samples of each chunk, which is a run of adjacent
  /// samples, until it returns false.
  func forEachChunk(_ body: (Int, Int) throws(AudioError) -> Bool) throws(AudioError) {
    let long = fields.box(box, "co64")
    let offsets = MP4Table(
      fields, long ?? fields.box(box, "stco"), entryBytes: long == nil ? 4 : 8)
    let runs = MP4Table(fields, fields.box(box, "stsc"), entryBytes: 12)
    var run = 0
    for index in 0..<offsets.count {
      while run + 1 < runs.count, runs.uint32(run + 1) <= index + 1 { run += 1 }
      let count = run < runs.count ? runs.uint32(run, 4) : 0
      guard try body(long == nil ? offsets.uint32(index) : offsets.uint64(index), count) else {
        return
      }
    }
  }
}
