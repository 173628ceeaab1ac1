// SPDX-License-Identifier: Apache-2.0
import AudioConverters
import AudioSupport
import CAudioToolbox

/// The order of channels on both sides of a converter.
enum ChannelOrder {
  /// [control thread] Reorders channels where two layouts differ in their order.
  static func set(
    _ converter: AudioConverterRef, from input: [UInt8]?, to output: [UInt8]?
  ) throws(AudioError) {
    guard let input, let output else { return }
    try Converter.use(converter) { converter throws(AudioError) in
      for (id, layout) in [
        (kAudioConverterInputChannelLayout, input), (kAudioConverterOutputChannelLayout, output),
      ] {
        try layout.withUnsafeBufferPointer { bytes throws(AudioError) in
          try converter.write(id, UnsafeRawBufferPointer(bytes))
        }
      }
    }
  }
}
