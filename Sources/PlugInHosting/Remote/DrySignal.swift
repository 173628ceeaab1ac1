// SPDX-License-Identifier: Apache-2.0
import SignalProcessing

/// What is heard while a plug-in in another process gives no sound: the main input, if it is an effect, delayed by its
/// latency. Both are crossfaded.
struct DrySignal: BitwiseCopyable {
  private let memory = OwnedMemory()
  private var bypass: UnsafeMutablePointer<HostedBypass>
  /// A latency of more frames is not imitated.
  private static let longestDelay = 1 << 18

  /// [control thread] The signal for a plug-in; freed by `deallocate`.
  init(_ plugIn: PlugInDescription, latency: Int, maximumFrames: Int, sampleRate: Double) {
    let passes = plugIn.kind == .effect && plugIn.inputs.first?.role == .sound
    bypass = memory.cell(
      HostedBypass(
        inputs: passes ? plugIn.inputs.first?.channelCount ?? 0 : 0,
        outputs: plugIn.outputs.first?.channelCount ?? 0,
        latency: min(max(latency, 0), Self.longestDelay), maximumFrames: maximumFrames,
        sampleRate: sampleRate, in: memory))
  }

  /// [control thread] Frees its memory.
  func deallocate() { memory.deallocate() }

  /// [render thread] Forgets the past input.
  func reset() { bypass.pointee.reset() }

  /// [render thread] Stores the input of a block, and replaces the output if that is missing.
  func apply(_ block: PlugInBlock, isMissing: Bool) {
    bypass.pointee.apply(block.inputs, block.outputs, block.frameCount, isBypassed: isMissing)
  }
}
