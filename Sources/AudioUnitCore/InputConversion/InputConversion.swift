// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// The conversion between a source and an input bus of a kernel: it pulls in the format that the
/// host has set, and delivers planar Float32 at the kernel's rate.
///
/// It is only the interface: the closures do the work. They are specialised where they are made,
/// and `release` frees their memory at the end.
public final class InputConversion: @unchecked Sendable {
  /// The arguments of one pull.
  public struct Pull {
    public let sources: SourceTable
    public let bus: Int
    public let flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>
    public let time: UnsafePointer<AudioTimeStamp>
    public let frames: Int
    /// The playback rate of the source; nil: the recorded rate.
    public let playback: UnsafePointer<PlaybackRates>?
    /// The destination of the samples, planar Float32.
    public let output: UnsafePointer<UnsafeMutablePointer<Float>>

    @_noLocks
    init(
      _ sources: SourceTable, _ bus: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
      playback: UnsafePointer<PlaybackRates>?,
      to output: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
      self.sources = sources
      self.bus = bus
      self.flags = flags
      self.time = time
      self.frames = frames
      self.playback = playback
      self.output = output
    }
  }

  /// The settings of a conversion.
  public struct Setup: Sendable {
    /// The format of the source.
    public let source: StreamFormat
    /// The sample rate of the output, which has the same number of channels.
    public let sampleRate: Double
    /// Whether the source fills our memory.
    public let allocates: Bool
    /// The maximum number of frames per pull, and per slice of the output.
    public let maximumFrames: Int
    /// 0 (fastest) to 127 (best): `kAudioUnitProperty_RenderQuality`.
    public let renderQuality: Int
    /// Whether the playback rate may differ from 1.
    public let variesRate: Bool
  }

  /// Makes conversions, and reports which formats they support.
  public struct Maker: Sendable {
    let accepts: @Sendable (StreamFormat) -> Bool
    let make: @Sendable (Setup) -> InputConversion

    /// [control thread] A maker whose `make` allocates everything that rendering needs.
    public init(
      accepts: @escaping @Sendable (StreamFormat) -> Bool,
      make: @escaping @Sendable (Setup) -> InputConversion
    ) {
      self.accepts = accepts
      self.make = make
    }
  }

  /// The delay in seconds.
  let latency: Double
  let pull: (Pull) -> OSStatus
  /// Converts a caller's list, without pulling.
  let convert:
    (UnsafePointer<AudioBufferList>, Int, UnsafePointer<UnsafeMutablePointer<Float>>) -> OSStatus
  let reset: () -> Void
  private let release: () -> Void

  /// A conversion of these closures. Render threads call `pull`, `convert` and `reset`; `release`
  /// is called at the end.
  public init(
    latency: Double, pull: @escaping (Pull) -> OSStatus,
    convert:
      @escaping (
        UnsafePointer<AudioBufferList>, Int, UnsafePointer<UnsafeMutablePointer<Float>>
      ) -> OSStatus, reset: @escaping () -> Void, release: @escaping () -> Void
  ) {
    self.latency = latency
    self.pull = pull
    self.convert = convert
    self.reset = reset
    self.release = release
  }

  deinit { release() }
}
