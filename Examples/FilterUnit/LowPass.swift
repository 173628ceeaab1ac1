// SPDX-License-Identifier: Apache-2.0
import AVFoundation
import Synchronization

/// A low-pass filter of the second order as an audio unit.
///
/// Its coefficients are those of R. Bristow-Johnson's cookbook (W3C note, 2021). A change of the
/// cutoff takes effect at its frame.
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
      flags: [.flag_IsReadable, .flag_IsWritable, .flag_DisplayLogarithmic], valueStrings: nil,
      dependentParameters: nil)
    cutoff.value = 6_900
    parameterTree = .createTree(withChildren: [cutoff])
  }

  override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
  override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
  override var canProcessInPlace: Bool { true }

  /// The time in which a tone at the cutoff falls by 60 decibels.
  override var tailTime: TimeInterval {
    let cutoff = parameterTree?.parameter(withAddress: Self.cutoff)?.value ?? 10
    return 0.001 + 2.5 / Double(cutoff)
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
    // Neither the unit nor the tree's lock is used while sound is rendered.
    guard let parameter = parameterTree?.parameter(withAddress: Self.cutoff) else {
      return { _, _, _, _, _, _, _ in kAudioUnitErr_Uninitialized }
    }
    return { [kernel] _, time, frames, _, output, events, pull in
      guard let pull else { return kAudioUnitErr_NoConnection }
      // The input's own flags: the output still sounds when the input is silent.
      var flags = AudioUnitRenderActionFlags()
      let status = pull(&flags, time, frames, 0, output)
      guard status == noErr else { return status }
      kernel.beginRender()
      kernel.set(cutoff: Double(parameter.value))
      let buffers = UnsafeMutableAudioBufferListPointer(output)
      var (done, event) = (0, events)
      // The frames up to each event, then those after the last one.
      while let next = event {
        let frame = Int(
          next.pointee.head.eventSampleTime - AUEventSampleTime(time.pointee.mSampleTime))
        kernel.process(buffers, done..<max(done, frame))
        done = max(done, frame)
        if next.pointee.head.eventType == .parameter {
          kernel.set(cutoff: Double(next.pointee.parameter.value))
          parameter.value = next.pointee.parameter.value
        }
        event = UnsafePointer(next.pointee.head.next)
      }
      kernel.process(buffers, done..<Int(frames))
      return noErr
    }
  }
}

/// The filter: its coefficients and its memory. One thread at a time uses all but `reset` and `bypass`.
final class Kernel: @unchecked Sendable {
  /// Whether the next render forgets what the filter has heard.
  private let isReset = Atomic(false)
  private let isBypassed = Atomic(false)
  private var sampleRate = 44_100.0
  private var cutoff = 0.0
  private var (b0, c1, c2, a1, a2) = (1.0, 0.0, 0.0, 0.0, 0.0)
  /// Two numbers for each channel, of which there are at most 32.
  private let memory = UnsafeMutablePointer<(Double, Double)>.allocate(capacity: 32)

  init() { memory.initialize(repeating: (0, 0), count: 32) }

  deinit { memory.deallocate() }

  /// Forgets what it has heard when the next render begins; on any thread.
  func reset() { isReset.store(true, ordering: .releasing) }

  /// Whether the input passes as it is; on any thread.
  func bypass(_ isOn: Bool) { isBypassed.store(isOn, ordering: .relaxed) }

  func beginRender() {
    guard isReset.exchange(false, ordering: .acquiring) else { return }
    memory.update(repeating: (0, 0), count: 32)
  }

  /// Forgets what it has heard, while nothing renders.
  func prepare(sampleRate: Double) {
    self.sampleRate = sampleRate
    cutoff = 0
    memory.update(repeating: (0, 0), count: 32)
  }

  func set(cutoff new: Double) {
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
