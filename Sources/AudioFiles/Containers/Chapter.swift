// SPDX-License-Identifier: Apache-2.0
import AudioSupport
@_spi(TrappingConversions) import CheckedNumbers

/// A marker as files state it that measure time in seconds.
struct Chapter: Equatable {
  var seconds: Double
  var name: String
}

extension [Chapter] {
  /// The chapters for markers at a rate.
  init(_ markers: [Marker], rate: Double) {
    self = markers.sorted { $0.frame < $1.frame }.map {
      Chapter(seconds: rate > 0 ? Swift.max(0, $0.frame / rate) : 0, name: $0.name)
    }
  }

  /// The markers at a rate.
  func markers(rate: Double) -> [Marker] {
    enumerated().map { index, chapter in
      Marker(
        frame: (chapter.seconds * rate).rounded(), name: chapter.name,
        id: Int32(clamping: index + 1))
    }
  }
}
