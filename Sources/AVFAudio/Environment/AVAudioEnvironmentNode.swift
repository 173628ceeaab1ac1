// SPDX-License-Identifier: Apache-2.0
import AudioSupport
public import AudioToolbox
public import AudioValues

/// To what an environment node plays, for sources with the algorithm `auto`.
public enum AVAudioEnvironmentOutputType: Int, Sendable {
  /// What the device is; external speakers in manual rendering.
  case auto = 0
  /// Headphones: sources are placed with a head model.
  case headphones = 1
  /// Speakers of the machine: sources are panned.
  case builtInSpeakers = 2
  /// Other speakers: sources are panned.
  case externalSpeakers = 3
}

/// Mixes any number of inputs around a listener. Mono sources are placed by their `position`; others
/// pass through. [any thread]
///
/// Positions are in metres: x to the right, y upwards, z backwards. Its unit is the spatial mixer.
open class AVAudioEnvironmentNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
  private struct State {
    var listener = Listener()
    var outputType = AVAudioEnvironmentOutputType.auto
    var outputVolume: Float = 1
  }

  /// The inputs, for the parameters of the distance, which the inputs keep.
  private struct KnownInputs { weak var inputs: MixerInputs? }

  private let mixer: NodeUnit
  private let inputs: MixerInputs
  private let state: Guarded<State>
  /// Held while the mixer gets a value, so that the last of several is what it has. As that of
  /// `EngineCore`, it is not one of the library's.
  private let order = NSRecursiveLock()
  private let distance: AVAudioEnvironmentDistanceAttenuationParameters
  private let room: AVAudioEnvironmentReverbParameters

  /// An environment without connections, with the listener at the origin.
  public init() {
    let mixer = NodeUnit(kAudioUnitType_Mixer, kAudioUnitSubType_SpatialMixer)
    let state = Guarded(State())
    let known = Guarded(KnownInputs())
    let distance = AVAudioEnvironmentDistanceAttenuationParameters {
      known.withLock { $0.inputs }?.applyAgain()
    }
    inputs = MixerInputs(mixer) { mixer, element, values in
      let listener = state.withLock { $0.listener }
      SpatialInput(unit: mixer, element: element)
        .set(values, for: listener, distance.current.settings)
    }
    self.mixer = mixer
    self.state = state
    self.distance = distance
    room = AVAudioEnvironmentReverbParameters(mixer)
    super.init(mixer, inputs: 1, outputs: 1)
    known.withLock { $0.inputs = inputs }
    applyOutputType()
  }

  /// How sources become quieter with their distance.
  open var distanceAttenuationParameters: AVAudioEnvironmentDistanceAttenuationParameters {
    distance
  }

  /// The room around the listener.
  open var reverbParameters: AVAudioEnvironmentReverbParameters { room }

  // MARK: Inputs and output

  /// The gain of the output, from 0 to 10; 1 at first. A value that is not a number changes nothing.
  open var outputVolume: Float {
    get { state.withLock { $0.outputVolume } }
    set {
      guard newValue.isFinite else { return }
      state.withLock { $0.outputVolume = newValue }
      order.withLock {
        let volume = state.withLock(\.outputVolume)
        mixer.set(
          parameter: kSpatialMixerParam_Gain, kAudioUnitScope_Output, 0,
          SpatialInput.decibels(volume))
      }
    }
  }

  /// To what it plays, for sources with the algorithm `auto`; `auto` at first.
  open var outputType: AVAudioEnvironmentOutputType {
    get { state.withLock { $0.outputType } }
    set {
      state.withLock { $0.outputType = newValue }
      applyOutputType()
    }
  }

  /// The algorithms that place sources at the current number of output channels, as numbers of
  /// `AVAudio3DMixingRenderingAlgorithm`.
  open var applicableRenderingAlgorithms: [NSNumber] {
    let all: [AVAudio3DMixingRenderingAlgorithm] =
      outputFormat(forBus: 0).channelCount == 2
      ? [.equalPowerPanning, .sphericalHead, .HRTF, .stereoPassThrough, .HRTFHQ, .auto]
      : [.equalPowerPanning, .stereoPassThrough, .auto]
    return all.map { NSNumber(value: $0.rawValue) }
  }

  /// The first input that is not connected.
  open var nextAvailableInputBus: AVAudioNodeBus { engine?.core.queries.freeInput(of: self) ?? 0 }

  /// One more than the highest input that is connected, and at least 1.
  open override var numberOfInputs: Int {
    max(1, (engine?.core.queries.lastInput(of: self) ?? 0) + 1)
  }

  // MARK: The listener

  /// Where the listener is; at the origin at first. A point that has no numbers changes nothing.
  open var listenerPosition: AVAudio3DPoint {
    get {
      let position = state.withLock { $0.listener.position }
      return AVAudio3DPoint(x: position.x, y: position.y, z: position.z)
    }
    set {
      guard newValue.x.isFinite, newValue.y.isFinite, newValue.z.isFinite else { return }
      state.withLock { $0.listener.position = SIMD3(newValue.x, newValue.y, newValue.z) }
      inputs.applyAgain()
    }
  }

  /// The directions to the front and to the top of the listener: (0, 0, -1) and (0, 1, 0) at first.
  /// Vectors that are parallel, or have no direction, change nothing.
  open var listenerVectorOrientation: AVAudio3DVectorOrientation {
    get {
      let (front, top) = state.withLock { ($0.listener.front, $0.listener.top) }
      return AVAudio3DVectorOrientation(
        forward: AVAudio3DVector(x: front.x, y: front.y, z: front.z),
        up: AVAudio3DVector(x: top.x, y: top.y, z: top.z))
    }
    set {
      let (front, top) = (newValue.forward, newValue.up)
      turn {
        $0.turn(front: SIMD3(front.x, front.y, front.z), top: SIMD3(top.x, top.y, top.z))
      }
    }
  }

  /// The same orientation as angles in degrees; zeros at first.
  open var listenerAngularOrientation: AVAudio3DAngularOrientation {
    get { state.withLock { $0.listener.angles } }
    set { turn { $0.turn(yaw: newValue.yaw, pitch: newValue.pitch, roll: newValue.roll) } }
  }

  private func turn(_ body: (inout Listener) -> Bool) {
    if state.withLock({ body(&$0.listener) }) { inputs.applyAgain() }
  }

  // MARK: As a source

  /// The gain at the mixers that it reaches.
  open var volume: Float {
    get { mixing.values.volume }
    set { mixing.set(\.volume, toNumber: newValue) }
  }

  /// The position at the mixers that it reaches.
  open var pan: Float {
    get { mixing.values.pan }
    set { mixing.set(\.pan, toNumber: newValue) }
  }

  /// The values at one input of a mixer; nil if the node does not reach it.
  @discardableResult
  open func destination(
    forMixer mixer: AVAudioNode, bus: AVAudioNodeBus
  ) -> AVAudioMixingDestination? { mixing.destination(mixer, bus) }

  // MARK: For the engine

  override var formatRule: FormatRule { .converts }
  override var mixerInputs: MixerInputs? { inputs }

  override func setMixing(_ values: MixingValues, onInput bus: AVAudioNodeBus) {
    inputs.set(values, bus)
  }

  override func engineChanged(_ event: EngineEvent) {
    super.engineChanged(event)
    if case .started = event { applyOutputType() }
  }

  private func applyOutputType() {
    order.withLock {
      let chosen = state.withLock(\.outputType)
      let number = UInt32((chosen == .auto ? deviceType : chosen).rawValue)
      let id = kAudioUnitProperty_SpatialMixerOutputType
      guard mixer.value(id, kAudioUnitScope_Global, 0) != number else { return }
      mixer.set(id, kAudioUnitScope_Global, 0, number)
    }
  }

  /// What the device of the running engine is.
  private var deviceType: AVAudioEnvironmentOutputType {
    guard let engine, engine.isRunning, !engine.isInManualRenderingMode else {
      return .externalSpeakers
    }
    return switch AVAudioSession.sharedInstance().currentRoute.outputs.first?.portType {
    case .headphones, .bluetoothA2DP, .bluetoothHFP, .bluetoothLE: .headphones
    case .builtInSpeaker, .builtInReceiver: .builtInSpeakers
    default: .externalSpeakers
    }
  }
}
