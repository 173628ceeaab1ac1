// SPDX-License-Identifier: Apache-2.0

/// The files of `au new --plug-in --swift`; `@NAME@` stands for the name of the unit, `@MODULE@` for its
/// module, `@CODE@` for its subtype and `@PACKAGE@` for the folder of this package.
enum SwiftUnitTemplate {
  static let manifest = """
    // swift-tools-version: 6.0
    import PackageDescription

    let package = Package(
      name: "@NAME@",
      products: [.library(name: "@MODULE@", targets: ["@MODULE@"])],
      dependencies: [.package(name: "swift-audiotoolbox", path: "@PACKAGE@")],
      targets: [
        // The unit, for programs.
        .target(
          name: "@MODULE@",
          dependencies: [.product(name: "AudioToolbox", package: "swift-audiotoolbox")]),
        // The commands of au, with the unit: swift run @MODULE@-au validate @NAME@
        .executableTarget(
          name: "@MODULE@-au",
          dependencies: [
            "@MODULE@", .product(name: "AudioUnitTool", package: "swift-audiotoolbox"),
          ]),
      ])

    """

  static let tool = """
    // The commands of au, with the unit: the validator tests it, and render sends files through it.
    import @MODULE@
    import AudioUnitTool

    GainUnit.register()
    AUTool.main()

    """

  static let unit = #"""
    // @NAME@: an audio unit that changes the level. Begin with `Level.process`.
    import AVFoundation
    import Synchronization

    /// The number of four characters.
    private func code(_ text: String) -> OSType { text.utf8.reduce(0) { $0 << 8 | OSType($1) } }

    /// The unit, for hosts: its buses and parameters.
    public final class GainUnit: AUAudioUnit {
      // The three codes name the unit for ever: documents and presets contain them. Choose a
      // manufacturer of your own, with a capital.
      public static let codes = AudioComponentDescription(
        componentType: kAudioUnitType_Effect, componentSubType: code("@CODE@"),
        componentManufacturer: code("Demo"), componentFlags: 0, componentFlagsMask: 0)

      /// Makes it a component of this program: graphs, engines and functions of C find it.
      public static func register() {
        registerSubclass(GainUnit.self, as: codes, name: "Demo: @NAME@", version: 0x0001_0000)
      }

      private let level = Level()
      private var inputs: AUAudioUnitBusArray?
      private var outputs: AUAudioUnitBusArray?

      public override init(
        componentDescription: AudioComponentDescription,
        options: AudioComponentInstantiationOptions = []
      ) throws {
        try super.init(componentDescription: componentDescription, options: options)
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2) else {
          throw CocoaError(.featureUnsupported)
        }
        inputs = AUAudioUnitBusArray(
          audioUnit: self, busType: .input, busses: [try AUAudioUnitBus(format: format)])
        outputs = AUAudioUnitBusArray(
          audioUnit: self, busType: .output, busses: [try AUAudioUnitBus(format: format)])
        // The addresses of parameters are in saved states: add new ones at the end.
        let parameter = AUParameterTree.createParameter(
          withIdentifier: "level", name: "level", address: 0, min: -60, max: 20, unit: .decibels,
          unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable, .flag_CanRamp],
          valueStrings: nil, dependentParameters: nil)
        let tree = AUParameterTree.createTree(withChildren: [parameter])
        // What a host schedules goes to the render block instead, at its frame.
        tree.implementorValueObserver = { [level] _, value in level.choose(value) }
        tree.implementorValueProvider = { [level] _ in level.chosen }
        parameterTree = tree
      }

      public override var inputBusses: AUAudioUnitBusArray { inputs ?? super.inputBusses }
      public override var outputBusses: AUAudioUnitBusArray { outputs ?? super.outputBusses }
      public override var canProcessInPlace: Bool { true }

      public override var shouldBypassEffect: Bool {
        didSet { level.bypass(shouldBypassEffect) }
      }

      public override var internalRenderBlock: AUInternalRenderBlock {
        { [level] flags, time, frames, _, output, events, pull in
          guard let pull else { return kAudioUnitErr_NoConnection }
          let status = pull(flags, time, frames, 0, output)
          guard status == noErr else { return status }
          level.beginRender()
          let buffers = UnsafeMutableAudioBufferListPointer(output)
          var (done, event) = (0, events)
          // The frames up to each event, then those after the last one.
          while let next = event {
            let frame = next.pointee.head.eventSampleTime - Int64(time.pointee.mSampleTime)
            level.process(buffers, done..<max(done, Int(frame)))
            done = max(done, Int(frame))
            let change = next.pointee.parameter
            switch next.pointee.head.eventType {
            case .parameter: level.move(to: change.value, over: 0)
            case .parameterRamp: level.move(to: change.value, over: change.rampDurationSampleFrames)
            default: break
            }
            event = UnsafePointer(next.pointee.head.next)
          }
          level.process(buffers, done..<Int(frames))
          return noErr
        }
      }
    }

    /// The sound of the unit. One thread at a time renders; any thread chooses and bypasses.
    private final class Level: @unchecked Sendable {
      private let isBypassed = Atomic(false)
      /// The bits of the last level that was set or scheduled.
      private let last = Atomic(Float(0).bitPattern)
      /// Those of a level that the next render takes; not a number: none.
      private let next = Atomic(Float.nan.bitPattern)
      // What only renders use.
      private var decibels: Float = 0
      private var target: Float = 0
      private var framesLeft: UInt32 = 0

      var chosen: Float { Float(bitPattern: last.load(ordering: .relaxed)) }

      func choose(_ decibels: Float) {
        last.store(decibels.bitPattern, ordering: .relaxed)
        next.store(decibels.bitPattern, ordering: .relaxed)
      }

      func bypass(_ isOn: Bool) { isBypassed.store(isOn, ordering: .relaxed) }

      func beginRender() {
        let new = Float(bitPattern: next.exchange(Float.nan.bitPattern, ordering: .relaxed))
        if !new.isNaN { move(to: new, over: 0) }
      }

      func move(to decibels: Float, over frames: UInt32) {
        last.store(decibels.bitPattern, ordering: .relaxed)
        (target, framesLeft) = (decibels, frames)
        if frames == 0 { self.decibels = decibels }
      }

      // Runs on the audio thread: no locks, no memory, no files in here.
      func process(_ buffers: UnsafeMutableAudioBufferListPointer, _ frames: Range<Int>) {
        let isOn = !isBypassed.load(ordering: .relaxed)
        var gain = pow(10, decibels / 20)
        for frame in frames {
          for buffer in buffers where isOn {
            buffer.mData?.assumingMemoryBound(to: Float.self)[frame] *= gain
          }
          guard framesLeft > 0 else { continue }
          decibels += (target - decibels) / Float(framesLeft)
          framesLeft -= 1
          gain = pow(10, decibels / 20)
        }
      }
    }

    """#
}
