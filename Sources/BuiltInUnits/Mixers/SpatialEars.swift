// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// Renders a source to both ears with the model of a sphere or a measured head, or a crossfade
/// between them. It keeps the source's latest frames, which both need.
///
/// Plain memory; its owner deallocates it.
struct SpatialEars: BitwiseCopyable {
  /// The head model that a source is heard with, if any.
  enum Model: BitwiseCopyable { case none, sphere, measured }

  /// The direction of a source.
  struct Aim: BitwiseCopyable {
    var model: Model
    /// A vector of length 1 to the right, the front and the top of the head.
    var place: SIMD3<Float>
    var delaysEars: Bool
    /// The measured head, and how closely it is followed.
    var head: HeadResponses?
    var quality: HeadResponses.Quality

    @_noLocks
    init(
      model: Model, place: SIMD3<Float>, delaysEars: Bool, head: HeadResponses?,
      quality: HeadResponses.Quality
    ) {
      self.model = model
      self.place = place
      self.delaysEars = delaysEars
      self.head = head
      self.quality = quality
    }
  }

  /// Frames that are rendered at once, at most.
  static var pieceFrames: Int {
    @_noLocks get { min(SphericalHeadRenderer.pieceFrames, MeasuredHeadRenderer.pieceFrames) }
  }

  private var sphere: SphericalHeadRenderer
  private var measured: MeasuredHeadRenderer
  /// The frames before those that are rendered, and room for these.
  private let history: UnsafeMutablePointer<Float>
  private let historyFrames: Int

  /// [control thread] Allocates silent ears.
  init(_ sphericalHead: SphericalHead, sampleRate: Double, delay: EarDelay) {
    sphere = SphericalHeadRenderer(sphericalHead, delay: delay)
    measured = MeasuredHeadRenderer(sampleRate: sampleRate, delay: delay)
    historyFrames = max(
      SphericalHeadRenderer.reach(sphericalHead), MeasuredHeadRenderer.reach(at: sampleRate))
    history = .allocate(capacity: historyFrames + Self.pieceFrames)
    history.initialize(repeating: 0, count: historyFrames + Self.pieceFrames)
  }

  /// [control thread] Frees the memory; nothing may use it any more.
  func deallocate() {
    sphere.deallocate()
    measured.deallocate()
    history.deallocate()
  }

  /// [render thread] Forgets the signal.
  @_noLocks
  func forget() { Samples.clear(history, count: historyFrames) }

  /// [render thread] Is heard with the aim's head from now on, as if it had been all the time.
  @_noLocks
  mutating func begin(_ aim: Aim) {
    let now = history + historyFrames
    switch aim.model {
    case .none: break
    case .sphere: sphere.begin(toward: aim.place, delaysEars: aim.delaysEars, after: now)
    case .measured:
      guard let head = aim.head else { return }
      measured.begin(
        .init(head: head, direction: aim.place, quality: aim.quality, delaysEars: aim.delaysEars),
        after: now)
    }
  }

  /// [render thread] Moves with the aim's head, which it is heard with already.
  @_noLocks
  mutating func move(_ aim: Aim, within frames: Int) {
    switch aim.model {
    case .none: break
    case .sphere: sphere.move(toward: aim.place, delaysEars: aim.delaysEars, within: frames)
    case .measured:
      guard let head = aim.head else { return }
      measured.move(
        to: .init(
          head: head, direction: aim.place, quality: aim.quality, delaysEars: aim.delaysEars),
        within: frames)
    }
  }

  /// [render thread] Frames of the next ones that a head which is heard renders at once.
  @_noLocks
  func run(_ model: Model, of count: Int) -> Int {
    switch model {
    case .none: count
    case .sphere: sphere.run(of: count)
    case .measured: measured.run(of: count)
    }
  }

  /// [render thread] Appends what is heard next, at most `pieceFrames`; `render` and `pass` come
  /// after it. Samples that cannot be sound are silenced.
  @_noLocks
  func append(_ samples: UnsafePointer<Float>, _ count: Int) {
    let now = history + historyFrames
    Samples.copy(samples, to: now, count: count)
    Samples.discardUnusable(now, count: count)
  }

  /// [render thread] Adds what was appended to two channels, as one of both heads passes it.
  @_noLocks
  mutating func render(
    _ model: Model, to left: UnsafeMutablePointer<Float>, _ right: UnsafeMutablePointer<Float>,
    _ count: Int, gain: Float, gainStep: Float
  ) {
    let now = UnsafePointer(history + historyFrames)
    switch model {
    case .none: break
    case .sphere:
      sphere.render(now, to: left, right, count: count, gain: gain, gainStep: gainStep)
    case .measured:
      measured.render(now, to: left, right, count: count, gain: gain, gainStep: gainStep)
    }
  }

  /// [render thread] Moves the appended frames into the history.
  @_noLocks
  func pass(_ count: Int) { Samples.move(history + count, to: history, count: historyFrames) }

  /// [render thread] Keeps the end of what was heard without a head, of any length.
  @_noLocks
  func remember(_ samples: UnsafePointer<Float>, _ count: Int) {
    let kept = min(count, historyFrames)
    Samples.move(history + kept, to: history, count: historyFrames - kept)
    let last = history + (historyFrames - kept)
    Samples.copy(samples + (count - kept), to: last, count: kept)
    Samples.discardUnusable(last, count: kept)
  }
}
