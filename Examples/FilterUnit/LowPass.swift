// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Synchronization

/// A low-pass filter of the second order as an audio unit.
///
/// Its coefficients are those of R. Bristow-Johnson's cookbook (W3C note, 2021). A change of the
/// cutoff takes effect at its frame, and a ramp moves it at each frame.
final class LowPass: AUAudioUnit {
  static let codes = AudioComponentDescription(
    componentType: kAudioUnitType_Effect, componentSubType: 0x6c6f_7770,  // 'lowp'
    componentManufacturer: 0x4578_616d,  // 'Exam'
    componentFlags: 0, componentFlagsMask: 0)
  /// The address of the only parameter.
  static let cutoff: AUParameterAddress = 0

  private let kernel = Kernel()
  private var inputs: AUAudioUnitBusArray?
  private var outputs: AUAudioUnitBusArray?

  override init(
    componentDescription: AudioComponentDescription,
    options: AudioComponentInstantiationOptions = []
  ) throws {
    try super.init(componentDescription: componentDescription, options: options)
    guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
      throw CocoaError(.featureUnsupported)
    }
    inputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
    outputs = AUAudioUnitBusArray(
      audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
    let cutoff = AUParameterTree.createParameter(
      withIdentifier: "cutoff", name: "cutoff frequency", address: Self.cutoff, min: 10,
      max: 20_000, unit: .hertz, unitName: nil,
      flags: [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp, .flag_DisplayLogarithmic],
      valueStrings: nil, dependentParameters: nil)
    let tree = AUParameterTree.createTree(withChildren: [cutoff])
    // What a host schedules does not come here, but to the render block, at its frame.
    tree.implementorValueObserver = { [kernel] _, value in kernel.choose(value) }
    tree.implementorValueProvider = { [kernel] _ in kernel.chosenCutoff }
    parameterTree = tree
  }

  override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var canProcessInPlace: Bool { true }

  /// The time in which a tone at the cutoff falls by 60 decibels.
  override var tailTime: TimeInterval {
    0.001 + 2.5 / Double(kernel.chosenCutoff)
  }

  override var shouldBypassEffect: Bool {
    didSet { kernel.bypass(shouldBypassEffect) }
  }

  override func allocateRenderResources() throws {
    try super.allocateRenderResources()
    kernel.prepare(sampleRate: outputBusses[0].format.sampleRate)
  }

  override func reset() {
    super.reset()
    // A render may be running.
    kernel.reset()
  }

  override var internalRenderBlock: AUInternalRenderBlock {
    // Neither the unit nor the tree is used while sound is rendered.
    { [kernel] _, time, frames, _, output, events, pull in
      guard let pull else { return kAudioUnitErr_NoConnection }
      // The input's own flags: the output still sounds when the input is silent.
      var flags = AudioUnitRenderActionFlags()
      let status = pull(&flags, time, frames, 0, output)
      guard status == noErr else { return status }
      kernel.beginRender()
      let buffers = UnsafeMutableAudioBufferListPointer(output)
      var (done, event) = (0, events)
      // The frames up to each event, then those after the last one.
      while let next = event {
        let frame = Int(
          next.pointee.head.eventSampleTime - AUEventSampleTime(time.pointee.mSampleTime))
        kernel.process(buffers, done..<max(done, frame))
        done = max(done, frame)
        let change = next.pointee.parameter
        switch next.pointee.head.eventType {
        case .parameter: kernel.move(to: change.value, over: 0)
        case .parameterRamp:
          kernel.move(to: change.value, over: Int(change.rampDurationSampleFrames))
        default: break
        }
        event = UnsafePointer(next.pointee.head.next)
      }
      kernel.process(buffers, done..<Int(frames))
      return noErr
    }
  }
}

/// The filter: its coefficients and its memory. One thread at a time uses all but `reset`, `bypass`,
/// `choose` and `chosenCutoff`.
final class Kernel: @unchecked Sendable {
  /// Whether the next render forgets what the filter has heard.
  private let isReset = Atomic(false)
  private let isBypassed = Atomic(false)
  /// The bits of the last cutoff that was set or scheduled.
  private let chosen = Atomic(AUValue(6_900).bitPattern)
  /// Those of a cutoff that the next render takes; not a number: none.
  private let next = Atomic(AUValue.nan.bitPattern)
  private var sampleRate = 44_100.0
  private var cutoff = 0.0
  /// From where to where the cutoff moves, and how much of that is done.
  private var ramp = (start: 0.0, end: 6_900.0, frame: 0, frames: 0)
  private var (b0, c1, c2, a1, a2) = (1.0, 0.0, 0.0, 0.0, 0.0)
  /// Two numbers for each channel, of which there are at most 32.
  private let memory = UnsafeMutablePointer<(Double, Double)>.allocate(capacity: 32)

  init() { memory.initialize(repeating: (0, 0), count: 32) }

  deinit { memory.deallocate() }

  /// Forgets what it has heard when the next render begins; on any thread.
  func reset() { isReset.store(true, ordering: .releasing) }

  /// Whether the input passes as it is; on any thread.
  func bypass(_ isOn: Bool) { isBypassed.store(isOn, ordering: .relaxed) }

  /// Changes the cutoff when the next render begins; on any thread.
  func choose(_ cutoff: AUValue) {
    chosen.store(cutoff.bitPattern, ordering: .relaxed)
    next.store(cutoff.bitPattern, ordering: .relaxed)
  }

  /// The cutoff, or where it moves to; on any thread.
  var chosenCutoff: AUValue { AUValue(bitPattern: chosen.load(ordering: .relaxed)) }

  func beginRender() {
    let new = AUValue(bitPattern: next.exchange(AUValue.nan.bitPattern, ordering: .relaxed))
    if !new.isNaN { move(to: new, over: 0) }
    guard isReset.exchange(false, ordering: .acquiring) else { return }
    memory.update(repeating: (0, 0), count: 32)
  }

  /// Forgets what it has heard, while nothing renders.
  func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    cutoff = 0
    ramp.frames = 0
    set(cutoff: ramp.end)
    memory.update(repeating: (0, 0), count: 32)
  }

  /// Moves the cutoff from where it is, over a number of frames.
  func move(to value: AUValue, over frames: Int) {
    chosen.store(value.bitPattern, ordering: .relaxed)
    ramp = (start: cutoff, end: Double(value), frame: 0, frames: frames)
    if frames == 0 { set(cutoff: ramp.end) }
  }

  private func set(cutoff new: Double) {
    guard new != cutoff else { return }
    cutoff = new
    // The bilinear transform of 1 / (s^2 + s + 1), whose gain at the cutoff is 1.
    let g = tan(.pi * min(new / sampleRate, 0.4999))
    let scale = 1 / (1 + g * (1 + g))
    b0 = g * g * scale
    a1 = 2 * (g * g - 1) * scale
    a2 = (1 - g * (1 - g)) * scale
    (c1, c2) = (2 * b0 - a1 * b0, b0 - a2 * b0)
  }

  func process(_ buffers: UnsafeMutableAudioBufferListPointer, _ frames: Range<Int>) {
    var first = frames.lowerBound
    while first < frames.upperBound, ramp.frame < ramp.frames {
      filter(buffers, first..<first + 1)
      first += 1
      ramp.frame += 1
      let left = Double(ramp.frames - ramp.frame) / Double(ramp.frames)
      set(cutoff: ramp.end + (ramp.start - ramp.end) * left)
    }
    filter(buffers, first..<frames.upperBound)
  }

  private func filter(_ buffers: UnsafeMutableAudioBufferListPointer, _ frames: Range<Int>) {
    guard !isBypassed.load(ordering: .relaxed) else { return }
    for (channel, buffer) in buffers.enumerated() where channel < 32 {
      guard let samples = buffer.mData?.assumingMemoryBound(to: Float.self) else { continue }
      var (s1, s2) = memory[channel]
      for frame in frames {
        let x = Double(samples[frame])
        let y = b0 * x + s1
        (s1, s2) = ((c1 * x + s2) - a1 * s1, c2 * x - a2 * s1)
        samples[frame] = Float(y)
      }
      // A number that is not finite would stay for ever.
      memory[channel] = s1.isFinite && s2.isFinite ? (s1, s2) : (0, 0)
    }
  }
}
