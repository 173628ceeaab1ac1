// SPDX-License-Identifier: Apache-2.0
import AudioUnitCore
import SignalProcessing

/// Renders a source for both ears with a spherical or a measured head model, or during a crossfade
/// with both. It stores the source's latest frames, which both models need.
///
/// Plain memory; its owner deallocates it.
struct BinauralRenderer: BitwiseCopyable {
  /// The head model that a source is rendered with, if any.
  enum Model: BitwiseCopyable { case none, sphere, measured }

  /// The head model and direction of a source.
  struct Setup: BitwiseCopyable {
    var model: Model
    /// A vector of length 1 to the right, the front and the top of the head.
    var direction: SIMD3<Float>
    /// Whether the ears receive the sound at different times.
    var delaysEars: Bool
    /// The measured head, and the precision of its filters.
    var head: HeadResponses?
    var quality: HeadResponses.Quality

    @_noLocks
    init(
      model: Model, direction: SIMD3<Float>, delaysEars: Bool, head: HeadResponses?,
      quality: HeadResponses.Quality
    ) {
      self.model = model
      self.direction = direction
      self.delaysEars = delaysEars
      self.head = head
      self.quality = quality
    }
  }

  /// The most frames that are rendered in one call.
  static var pieceFrames: Int {
    @_noLocks get { min(SphericalHeadRenderer.pieceFrames, MeasuredHeadRenderer.pieceFrames) }
  }

  private var sphere: SphericalHeadRenderer
  private var measured: MeasuredHeadRenderer
  /// The frames before the current piece, and then the piece.
  private let history: UnsafeMutablePointer<Float>
  private let historyFrames: Int

  /// [control thread] Allocates a renderer with a silent signal history.
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

  /// [render thread] Clears the signal history.
  @_noLocks
  func reset() { Samples.clear(history, count: historyFrames) }

  /// [render thread] Starts the head model of `setup`, as if it had been running all the time.
  @_noLocks
  mutating func begin(_ setup: Setup) {
    let now = history + historyFrames
    switch setup.model {
    case .none: break
    case .sphere: sphere.begin(toward: setup.direction, delaysEars: setup.delaysEars, after: now)
    case .measured:
      guard let head = setup.head else { return }
      measured.begin(
        .init(
          head: head, direction: setup.direction, quality: setup.quality,
          delaysEars: setup.delaysEars),
        after: now)
    }
  }

  /// [render thread] Moves the source to the direction of `setup`, whose head model is running.
  @_noLocks
  mutating func move(_ setup: Setup, within frames: Int) {
    switch setup.model {
    case .none: break
    case .sphere: sphere.move(toward: setup.direction, delaysEars: setup.delaysEars, within: frames)
    case .measured:
      guard let head = setup.head else { return }
      measured.move(
        to: .init(
          head: head, direction: setup.direction, quality: setup.quality,
          delaysEars: setup.delaysEars),
        within: frames)
    }
  }

  /// [render thread] How many of the next `count` frames a running head model renders in one call.
  @_noLocks
  func run(_ model: Model, of count: Int) -> Int {
    switch model {
    case .none: count
    case .sphere: sphere.run(of: count)
    case .measured: measured.run(of: count)
    }
  }

  /// [render thread] Appends the next samples, at most `pieceFrames`, and silences invalid ones.
  /// Call `render` and then `advance` after it.
  @_noLocks
  func append(_ samples: UnsafePointer<Float>, _ count: Int) {
    let now = history + historyFrames
    Samples.copy(samples, to: now, count: count)
    Samples.discardUnusable(now, count: count)
  }

  /// [render thread] Renders the appended samples with a head model, and adds them to two channels.
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
  func advance(_ count: Int) { Samples.move(history + count, to: history, count: historyFrames) }

  /// [render thread] Stores the end of a signal of any length that is not rendered with a head.
  @_noLocks
  func store(_ samples: UnsafePointer<Float>, _ count: Int) {
    let kept = min(count, historyFrames)
    Samples.move(history + kept, to: history, count: historyFrames - kept)
    let last = history + (historyFrames - kept)
    Samples.copy(samples + (count - kept), to: last, count: kept)
    Samples.discardUnusable(last, count: kept)
  }
}
