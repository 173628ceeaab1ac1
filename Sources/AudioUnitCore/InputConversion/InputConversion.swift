// SPDX-License-Identifier: Apache-2.0
public import AudioSupport
public import CAudioToolbox

/// The conversion between a source and an input bus of a kernel: it pulls in the format that the
/// host has set, and gives planar Float32 at the kernel's rate.
///
/// The interface for converted input: this target knows formats, not how to convert them. The
/// closures are specialised where they are made; what they hold is released with this object.
public final class InputConversion: @unchecked Sendable {
  /// The arguments of one pull.
  public struct Pull {
    public let plan: RenderPlan
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
      _ plan: RenderPlan, _ bus: Int, _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      _ time: UnsafePointer<AudioTimeStamp>, frames: Int,
      playback: UnsafePointer<PlaybackRates>?,
      to output: UnsafePointer<UnsafeMutablePointer<Float>>
    ) {
      self.plan = plan
      self.bus = bus
      self.flags = flags
      self.time = time
      self.frames = frames
      self.playback = playback
      self.output = output
    }
  }

  /// The conditions that a conversion is made for.
  public struct Setup: Sendable {
    /// The format of the source.
    public let source: StreamFormat
    /// The sample rate of the output, which has the same number of channels.
    public let sampleRate: Double
    /// Whether the source gets memory of ours to fill.
    public let allocates: Bool
    /// The most frames that one pull requests, and that are made at once.
    public let maximumFrames: Int
    /// 0 (fastest) to 127 (best): `kAudioUnitProperty_RenderQuality`.
    public let renderQuality: Int
    /// Whether the playback rate may differ from 1.
    public let variesRate: Bool
  }

  /// Which formats can be converted, and how.
  public struct Maker: Sendable {
    let accepts: @Sendable (StreamFormat) -> Bool
    let make: @Sendable (Setup) -> InputConversion

    /// [control thread] `make` allocates all that rendering needs.
    public init(
      accepts: @escaping @Sendable (StreamFormat) -> Bool,
      make: @escaping @Sendable (Setup) -> InputConversion
    ) {
      self.accepts = accepts
      self.make = make
    }
  }

  /// Its delay in seconds.
  let latency: Double
  let pull: (Pull) -> OSStatus
  /// Converts a caller's list of a number of frames, without pulling.
  let convert:
    (UnsafePointer<AudioBufferList>, Int, UnsafePointer<UnsafeMutablePointer<Float>>) -> OSStatus
  let forget: () -> Void
  private let release: () -> Void

  /// `pull`, `convert` and `forget` are called on render threads, `release` at the end.
  public init(
    latency: Double, pull: @escaping (Pull) -> OSStatus,
    convert:
      @escaping (
        UnsafePointer<AudioBufferList>, Int, UnsafePointer<UnsafeMutablePointer<Float>>
      ) -> OSStatus, forget: @escaping () -> Void, release: @escaping () -> Void
  ) {
    self.latency = latency
    self.pull = pull
    self.convert = convert
    self.forget = forget
    self.release = release
  }

  deinit { release() }
}
