// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// Encodes its input as AAC and decodes it again, to make the effect of the codec audible.
///
/// libavcodec does this on a separate thread: `AACRoundTrip`.
struct RoundTripAAC: EffectKernel, ~Copyable {
  static let identity = Identity(
    kAudioUnitType_FormatConverter, kAudioUnitSubType_RoundTripAAC, "AURoundTripAAC")

  enum Parameter: AudioUnitParameterID, ParameterKey {
    case format, encodingStrategy, rateOrQuality

    var spec: ParameterSpec {
      switch self {
      case .format: .init("format", .indexed, 0...0, default: 0, valueNames: ["AAC"])
      case .encodingStrategy:
        .init(
          "encoding strategy", .indexed, 0...2, default: 0,
          valueNames: ["Constant bit rate", "Average bit rate", "Variable bit rate"])
      case .rateOrQuality:
        .init(
          "rate or quality", .indexed, 0...15, default: 8,
          valueNames: AACRoundTrip.Settings.bitRates.enumerated().map {
            "\($0.element / 1_000) kbit/s per channel, or quality \($0.offset) of 15"
          })
      }
    }
  }

  private let line: UnsafeMutablePointer<RoundTripLine>?
  private let sampleRate: Double
  let latencyFrames: Int

  static func memory(_ setup: KernelSetup) -> Int {
    RoundTripLine.memory(
      channelCount: setup.format.channelCount, maximumFrames: setup.maximumFrames)
  }

  init(_ setup: KernelSetup) {
    line = (setup.shared as? AACRoundTrip)?.line
    sampleRate = setup.format.sampleRate
    latencyFrames = RoundTripLine.latency(maximumFrames: setup.maximumFrames)
  }

  /// The time over which the windows of the codec spread a sound.
  var tailTime: Double? { Double(2 * RoundTripLine.block) / sampleRate }

  mutating func reset() { line?.pointee.forget() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    guard let line else { return }
    let word = AACRoundTrip.Settings.word(
      strategy: values[.encodingStrategy], rate: values[.rateOrQuality])
    line.pointee.wishes.store(word, ordering: .relaxed)
    line.pointee.exchange(slice)
  }
}

/// Its unit, which creates the codecs.
final class RoundTripUnit: KernelUnit, WorkerUnit, @unchecked Sendable {
  private var trip: AACRoundTrip?
  private var isEnded = false
  var pace = WorkSignal.Pace.unknown { didSet { trip?.setPace(pace) } }

  deinit {
    releaseResources()
    // The deinitialiser of the class above releases once more.
    isEnded = true
  }

  override var shared: (any AnyObject & Sendable)? { trip }
  override var properties: [Property] { super.properties + Self.workerRows }

  var gaps: (count: Int, frames: Int) { trip?.line.pointee.lateness.total ?? (0, 0) }
  var advice: String {
    trip?.failureReason.map { "the codec failed: \($0)" }
      ?? "the codec was not finished in time; the machine is overloaded"
  }

  override func allocateResources() throws(AudioError) {
    let wishes = withCurrentValues { present in
      let values = RoundTripAAC.Values(present)
      return AACRoundTrip.Settings.word(
        strategy: values[.encodingStrategy], rate: values[.rateOrQuality])
    }
    let render = side
    do throws(AudioError) {
      trip = try AACRoundTrip(
        outputs[0].format, maximumFrames: maximumFrames, wishes: wishes ?? 0, pace: pace
      ) { render.pointee.post(kAUDiagnosticsProperty_Xruns) }
    } catch {
      throw .failedInitialization.because(error.explanation)
    }
    do throws(AudioError) { try super.allocateResources() } catch {
      releaseResources()
      throw error
    }
  }

  override func releaseResources() {
    guard !isEnded else { return }
    super.releaseResources()
    trip?.end()
    trip = nil
  }
}

extension UnitDefinition {
  /// AAC and back.
  static var roundTripAAC: UnitDefinition {
    var definition = UnitDefinition.effect(RoundTripAAC.self)
    definition.makeUnit = { RoundTripUnit(component: $0, definition: $1) }
    return definition
  }
}
