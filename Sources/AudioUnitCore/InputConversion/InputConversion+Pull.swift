// SPDX-License-Identifier: Apache-2.0
import AudioConversion
import SignalProcessing

extension InputConversion.Maker {
  /// Converts linear PCM of any format and rate to the kernels' format.
  package static let linearPCM = Self(
    accepts: { $0.sampleFormat.isSupported },
    make: { setup in
      let input = UnsafeMutablePointer.cell(
        ConvertedInput(
          .init(
            source: setup.source, sampleRate: setup.sampleRate,
            channelCount: setup.source.channelCount, map: nil, allocates: setup.allocates,
            maximumPullFrames: setup.maximumFrames, maximumFrames: setup.maximumFrames,
            quality: .init(renderQuality: setup.renderQuality)), variesRate: setup.variesRate))
      return InputConversion(
        latency: input.pointee.latency,
        pull: {
          input.pointee.render(
            $0.sources, $0.bus, $0.flags, $0.time, frames: $0.frames, playback: $0.playback,
            to: $0.output)
        },
        convert: { input.pointee.convert($0, frames: $1, to: $2) },
        reset: { input.pointee.reset() },
        release: { input.endCell() })
    })
}
