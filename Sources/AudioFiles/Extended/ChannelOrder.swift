// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox

/// Sets the channel order on both sides of a converter.
enum ChannelOrder {
  /// [control thread] Lets the converter reorder channels from one layout to another.
  static func set(
    _ converter: Converter, from input: [UInt8]?, to output: [UInt8]?
  ) throws(AudioError) {
    guard let input, let output else { return }
    for (id, layout) in [
      (kAudioConverterInputChannelLayout, input), (kAudioConverterOutputChannelLayout, output),
    ] {
      try layout.withUnsafeBufferPointer { bytes throws(AudioError) in
        try converter.write(id, UnsafeRawBufferPointer(bytes))
      }
    }
  }
}
