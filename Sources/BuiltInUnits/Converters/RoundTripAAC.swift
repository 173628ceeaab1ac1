// SPDX-License-Identifier: Apache-2.0
import AudioSupport
import AudioUnitCore
import CAudioToolbox

/// Encodes its input as AAC and decodes it again, to make the codec's artefacts audible.
///
/// libavcodec does this on a separate thread: `AACWorker`.
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
          valueNames: AACWorker.Settings.bitRates.enumerated().map {
            "\($0.element / 1_000) kbit/s per channel, or quality \($0.offset) of 15"
          })
      }
    }
  }

  private let rings: UnsafeMutablePointer<RoundTripRings>?
  private let sampleRate: Double
  let latencyFrames: Int

  static func memory(_ setup: KernelSetup) -> Int {
    RoundTripRings.memory(
      channelCount: setup.format.channelCount, maximumFrames: setup.maximumFrames)
  }

  init(_ setup: KernelSetup) {
    rings = (setup.shared as? AACWorker)?.rings
    sampleRate = setup.format.sampleRate
    latencyFrames = RoundTripRings.latency(maximumFrames: setup.maximumFrames)
  }

  /// The time over which the codec's windows spread a sound.
  var tailTime: Double? { Double(2 * RoundTripRings.block) / sampleRate }

  mutating func reset() { rings?.pointee.reset() }

  @_noLocks
  mutating func render(_ slice: Slice, _ values: Values) {
    guard let rings else { return }
    let word = AACWorker.Settings.word(
      strategy: values[.encodingStrategy], rate: values[.rateOrQuality])
    rings.pointee.requestedSettings.store(word, ordering: .relaxed)
    rings.pointee.exchange(slice)
  }
}

/// The unit of `RoundTripAAC`, which creates the codecs.
final class RoundTripUnit: KernelUnit, WorkerUnit, @unchecked Sendable {
  private var trip: AACWorker?
  private var isEnded = false
  var pace = WorkSignal.Pace.unknown { didSet { trip?.setPace(pace) } }

  deinit {
    releaseResources()
    // The superclass's deinitialiser calls `releaseResources` again.
    isEnded = true
  }

  override var shared: (any AnyObject & Sendable)? { trip }
  override var properties: [UnitProperty] { super.properties + Self.workerRows }

  var gaps: (count: Int, frames: Int) { trip?.rings.pointee.lateness.total ?? (0, 0) }
  var advice: String {
    trip?.failureReason.map { "the codec failed: \($0)" }
      ?? "the codec was not finished in time; the machine is overloaded"
  }

  override func allocateResources() throws(AudioError) {
    let settings = withCurrentValues { current in
      let values = RoundTripAAC.Values(current)
      return AACWorker.Settings.word(
        strategy: values[.encodingStrategy], rate: values[.rateOrQuality])
    }
    let render = side
    do throws(AudioError) {
      trip = try AACWorker(
        outputs[0].format, maximumFrames: maximumFrames, settings: settings ?? 0, pace: pace
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
  /// The unit that encodes and decodes AAC.
  static var roundTripAAC: UnitDefinition {
    var definition = UnitDefinition.effect(RoundTripAAC.self)
    definition.makeUnit = { RoundTripUnit(component: $0, definition: $1) }
    return definition
  }
}
